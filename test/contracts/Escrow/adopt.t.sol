// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract AdoptTest is EscrowTest {
    function test_holdsAPaymentAStrangerTookToTheToken() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        bytes32 nonce = escrow.termsHash(terms);
        vm.prank(STRANGER);
        usdc.transferWithAuthorization(payer, address(escrow), PRICE, 0, terms.fundBy, nonce, signature);

        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        escrow.fund(terms, payer, 0, terms.fundBy, signature);

        vm.expectEmit(address(escrow));
        emit IEscrow.Funded(escrow.holdId(terms, payer), terms.order, payer, terms, true);
        vm.prank(RESOLVER);
        escrow.adopt(terms, payer);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
        assertOwes(PRICE);
        vm.assertEq(escrow.surplus(), 0, "surplus");
    }

    function test_onlyTheResolverMay() public {
        IEscrow.Terms memory terms = paidDirectly();
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.NotResolver.selector, STRANGER, RESOLVER));
        vm.prank(STRANGER);
        escrow.adopt(terms, payer);
    }

    function test_refusesAnUnusedAuthorization() public {
        usdc.mint(address(escrow), PRICE);
        IEscrow.Terms memory terms = order();
        expectRefusal(
            terms,
            abi.encodeWithSelector(IEscrow.AuthorizationUnused.selector, payer, escrow.termsHash(terms))
        );
    }

    function test_aCancelledAuthorizationClaimsNobodysMoney() public {
        (, bytes32 id) = funded();
        IEscrow.Terms memory cancelled = order();
        cancelled.order = keccak256("market:order:2");
        cancel(PAYER_KEY, escrow.termsHash(cancelled));
        expectRefusal(cancelled, abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, 0));
        assertState(id, IEscrow.HoldState.Held);
        assertOwes(PRICE);
    }

    function test_aSelfTransferUnderTheOrdersNonceClaimsNobodysMoney() public {
        funded();
        IEscrow.Terms memory terms = order();
        terms.order = keccak256("market:order:2");
        submitDirectly(PAYER_KEY, payer, PRICE, escrow.termsHash(terms));
        expectRefusal(terms, abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, 0));
        assertOwes(PRICE);
    }

    function test_isCappedAtTheSurplus(uint128 stray) public {
        IEscrow.Terms memory terms = order();
        uint256 strayMicros = 1 + (stray % (2 * PRICE));
        usdc.mint(address(escrow), strayMicros);
        cancel(PAYER_KEY, escrow.termsHash(terms));
        if (strayMicros < PRICE) {
            expectRefusal(
                terms,
                abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, strayMicros)
            );
        } else {
            vm.prank(RESOLVER);
            escrow.adopt(terms, payer);
            assertOwes(PRICE);
        }
    }

    function test_refusesAHoldThatIsThere() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        usdc.mint(address(escrow), PRICE);
        expectRefusal(
            terms,
            abi.encodeWithSelector(IEscrow.WrongState.selector, id, IEscrow.HoldState.Held, IEscrow.HoldState.None)
        );
    }

    function test_refusesAPaymentThatWasReturned() public {
        IEscrow.Terms memory terms = paidDirectly();
        bytes32 nonce = escrow.termsHash(terms);
        vm.prank(RESOLVER);
        escrow.returnStray(payer, nonce, PRICE);
        usdc.mint(address(escrow), PRICE);
        bytes32 id = escrow.holdId(terms, payer);
        expectRefusal(
            terms,
            abi.encodeWithSelector(IEscrow.WrongState.selector, id, IEscrow.HoldState.Returned, IEscrow.HoldState.None)
        );
    }

    function test_mayComeAfterFundByButNotAfterExpiry() public {
        IEscrow.Terms memory terms = paidDirectly();
        vm.warp(terms.expiry + 1);
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.HoldExpired.selector, terms.expiry));
        vm.warp(terms.expiry);
        vm.prank(RESOLVER);
        escrow.adopt(terms, payer);
        assertOwes(PRICE);
    }

    function test_refusesTermsThatFundRefuses() public {
        IEscrow.Terms memory terms = order();
        terms.payee = payer;
        submitDirectly(PAYER_KEY, address(escrow), PRICE, escrow.termsHash(terms));
        expectRefusal(terms, abi.encodeWithSelector(IEscrow.InvalidPayer.selector, payer));
    }

    function test_isStoppedByAPause() public {
        IEscrow.Terms memory terms = paidDirectly();
        vm.prank(PAUSER);
        escrow.pause();
        expectRefusal(terms, abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil()));
    }

    /// @dev An order whose payment reached the escrow past `fund`.
    function paidDirectly() private returns (IEscrow.Terms memory terms) {
        terms = order();
        submitDirectly(PAYER_KEY, address(escrow), PRICE, escrow.termsHash(terms));
    }

    function expectRefusal(IEscrow.Terms memory terms, bytes memory reason) private {
        vm.expectRevert(reason);
        vm.prank(RESOLVER);
        escrow.adopt(terms, payer);
    }
}
