// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract ReleaseTest is EscrowTest {
    function test_creditsTheSellerAndTheServiceAndMovesNoTokens() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        vm.expectEmit(address(escrow));
        emit IEscrow.Released(id, terms.order, payer, recipients, amounts, IEscrow.Cause.Resolver);
        release(terms, recipients, amounts);
        assertState(id, IEscrow.HoldState.Released);
        assertClaimable(PAYEE, NET);
        assertClaimable(FEE_RECIPIENT, FEE);
        assertOwes(PRICE);
        vm.assertEq(usdc.balanceOf(address(escrow)), PRICE, "tokens stay");
    }

    function test_creditsEverySplitTheTermsAllow(uint256 refund, uint256 fee, uint16 feeBps) public {
        IEscrow.Terms memory terms = order();
        terms.feeBps = feeBps % 1_001;
        fund(terms);
        refund = refund % (uint256(PRICE) + 1);
        uint256 paid = PRICE - refund;
        fee = fee % ((paid * terms.feeBps) / 10_000 + 1);
        (address[] memory recipients, uint256[] memory amounts) = legs(refund, paid - fee, fee);
        release(terms, recipients, amounts);
        assertClaimable(payer, refund);
        assertClaimable(PAYEE, paid - fee);
        assertClaimable(FEE_RECIPIENT, fee);
        assertOwes(PRICE);
    }

    function test_refusesAFeeAboveTheTerms(uint256 refund, uint16 feeBps, uint256 excess) public {
        IEscrow.Terms memory terms = order();
        terms.feeBps = feeBps % 1_001;
        fund(terms);
        refund = refund % PRICE;
        uint256 paid = PRICE - refund;
        uint256 maxFee = (paid * terms.feeBps) / 10_000;
        uint256 fee = maxFee + 1 + (excess % (paid - maxFee));
        (address[] memory recipients, uint256[] memory amounts) = legs(refund, paid - fee, fee);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.FeeExceeded.selector, fee, maxFee));
    }

    function test_refusesAmountsThatDoNotSumToTheHold(uint256 net) public {
        net = 1 + (net % PRICE);
        vm.assume(net != NET);
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = split(PAYEE, net, FEE_RECIPIENT, FEE);
        expectWrongSum(terms, recipients, amounts, net + FEE);
    }

    function test_refusesLegsThatEachFitTheHoldAndTogetherExceedIt() public {
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = (new address[](3), new uint256[](3));
        (recipients[0], recipients[1], recipients[2]) = (PAYEE, payer, PAYEE);
        (amounts[0], amounts[1], amounts[2]) = (PRICE, PRICE, PRICE);
        expectWrongSum(terms, recipients, amounts, 3 * uint256(PRICE));
        (amounts[0], amounts[1], amounts[2]) = (PRICE - 2, 1, 2);
        expectWrongSum(terms, recipients, amounts, PRICE + 1);
        (amounts[0], amounts[1], amounts[2]) = (PRICE - 3, 1, 1);
        expectWrongSum(terms, recipients, amounts, PRICE - 1);
    }

    function test_refusesAnAmountAboveTheHold(uint256 net) public {
        vm.assume(net > PRICE);
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = whole(PAYEE, net);
        expectWrongSum(terms, recipients, amounts, net);
    }

    function test_refusesAnAmountWiderThanAHold() public {
        (IEscrow.Terms memory terms, ) = funded();
        // Its low 128 bits alone would make the sum right.
        uint256 wide = (1 << 128) + NET;
        (address[] memory recipients, uint256[] memory amounts) = split(PAYEE, wide, FEE_RECIPIENT, FEE);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.WrongSum.selector, wide, PRICE));
    }

    function test_refusesAmountsThatSumToTheHoldByAnOverflow(uint256 first, uint256 second) public {
        (IEscrow.Terms memory terms, ) = funded();
        uint256 third;
        unchecked {
            third = PRICE - first - second;
        }
        vm.assume(first != 0 && second != 0 && third != 0);
        vm.assume(first > PRICE || second > PRICE || third > PRICE);
        address[] memory recipients = new address[](3);
        uint256[] memory amounts = new uint256[](3);
        (recipients[0], recipients[1], recipients[2]) = (PAYEE, payer, PAYEE);
        (amounts[0], amounts[1], amounts[2]) = (first, second, third);
        uint256 wide = first > PRICE ? first : second > PRICE ? second : third;
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.WrongSum.selector, wide, PRICE));
    }

    function test_paysNobodyElse(address other) public {
        vm.assume(other != payer && other != PAYEE && other != FEE_RECIPIENT);
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = whole(other, PRICE);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrowControls.InvalidRecipient.selector, other));
    }

    function test_paysNobodyAtZeroWithoutAFeeRecipient() public {
        IEscrow.Terms memory terms = order();
        (terms.feeRecipient, terms.feeBps) = (address(0), 0);
        fund(terms);
        (address[] memory recipients, uint256[] memory amounts) = split(PAYEE, NET, address(0), FEE);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.FeeExceeded.selector, FEE, 0));
    }

    function test_wantsOneToThreeLegsNoneOfThemZero() public {
        (IEscrow.Terms memory terms, ) = funded();
        expectRefusal(
            terms,
            new address[](0),
            new uint256[](0),
            abi.encodeWithSelector(IEscrow.InvalidLegs.selector, 0, 0)
        );
        expectRefusal(
            terms,
            new address[](2),
            new uint256[](1),
            abi.encodeWithSelector(IEscrow.InvalidLegs.selector, 2, 1)
        );
        expectRefusal(
            terms,
            new address[](4),
            new uint256[](4),
            abi.encodeWithSelector(IEscrow.InvalidLegs.selector, 4, 4)
        );
        (address[] memory recipients, uint256[] memory amounts) = split(PAYEE, PRICE, FEE_RECIPIENT, 0);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.ZeroAmount.selector));
    }

    function test_creditsASingleUnit() public {
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = split(PAYEE, 1, payer, PRICE - 1);
        release(terms, recipients, amounts);
        assertClaimable(PAYEE, 1);
        assertClaimable(payer, PRICE - 1);
    }

    function test_sumsTheLegsOfOneRecipient() public {
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = split(PAYEE, NET, PAYEE, FEE);
        release(terms, recipients, amounts);
        assertClaimable(PAYEE, PRICE);

        terms.order = keccak256("market:order:2");
        fund(terms);
        (recipients, amounts) = split(FEE_RECIPIENT, FEE, FEE_RECIPIENT, NET);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.FeeExceeded.selector, PRICE, FEE));
    }

    function test_happensOnce() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
        expectRefusal(terms, recipients, amounts, wrongState(id, IEscrow.HoldState.Released));
        assertOwes(PRICE);
    }

    function test_refusesTermsOrAPayerThatWereNotFunded() public {
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = whole(PAYEE, PRICE);
        bytes32 strangers = escrow.holdId(terms, STRANGER);
        vm.expectRevert(wrongState(strangers, IEscrow.HoldState.None));
        vm.prank(RESOLVER);
        escrow.release(terms, STRANGER, recipients, amounts);

        terms.payee = STRANGER;
        recipients[0] = STRANGER;
        expectRefusal(terms, recipients, amounts, wrongState(escrow.holdId(terms, payer), IEscrow.HoldState.None));
    }

    function test_onlyTheResolverMay() public {
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        address[5] memory others = [ADMIN, PAUSER, PAYEE, payer, STRANGER];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IEscrowControls.NotResolver.selector, others[i], RESOLVER));
            vm.prank(others[i]);
            escrow.release(terms, payer, recipients, amounts);
        }
    }

    function test_afterExpiryOnlyThePayerIsPaid() public {
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        vm.warp(terms.expiry + 1);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.HoldExpired.selector, terms.expiry));
        (recipients, amounts) = split(payer, PRICE - 1, PAYEE, 1);
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.HoldExpired.selector, terms.expiry));
        (recipients, amounts) = whole(payer, PRICE);
        release(terms, recipients, amounts);
        assertClaimable(payer, PRICE);
    }

    function test_expiryIsTheLastMomentToPayTheSeller() public {
        (IEscrow.Terms memory terms, ) = funded();
        vm.warp(terms.expiry);
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
        assertClaimable(PAYEE, NET);
    }

    function test_worksWhileTheTokenIsPausedOrThePayeeBlocked() public {
        (IEscrow.Terms memory terms, ) = funded();
        usdc.pause();
        usdc.blacklist(PAYEE);
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
        assertClaimable(PAYEE, NET);
    }

    function test_isStoppedByAPause() public {
        (IEscrow.Terms memory terms, ) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        vm.prank(PAUSER);
        escrow.pause();
        bytes memory reason = abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil());
        expectRefusal(terms, recipients, amounts, reason);
    }

    /// @dev The legs to payer, payee and fee recipient, without those that are zero.
    function legs(
        uint256 refund,
        uint256 net,
        uint256 fee
    ) private view returns (address[] memory recipients, uint256[] memory amounts) {
        address[3] memory accounts = [payer, PAYEE, FEE_RECIPIENT];
        uint256[3] memory all = [refund, net, fee];
        uint256 count;
        for (uint256 i = 0; i < 3; ++i) if (all[i] != 0) ++count;
        recipients = new address[](count);
        amounts = new uint256[](count);
        uint256 next;
        for (uint256 i = 0; i < 3; ++i) {
            if (all[i] == 0) continue;
            (recipients[next], amounts[next]) = (accounts[i], all[i]);
            ++next;
        }
    }

    function expectRefusal(
        IEscrow.Terms memory terms,
        address[] memory recipients,
        uint256[] memory amounts,
        bytes memory reason
    ) private {
        uint256 owed = escrow.totalOwed();
        vm.expectRevert(reason);
        release(terms, recipients, amounts);
        assertOwes(owed);
    }

    function expectWrongSum(
        IEscrow.Terms memory terms,
        address[] memory recipients,
        uint256[] memory amounts,
        uint256 sum
    ) private {
        expectRefusal(terms, recipients, amounts, abi.encodeWithSelector(IEscrow.WrongSum.selector, sum, PRICE));
    }

    function wrongState(bytes32 id, IEscrow.HoldState actual) private pure returns (bytes memory reason) {
        return abi.encodeWithSelector(IEscrow.WrongState.selector, id, actual, IEscrow.HoldState.Held);
    }
}
