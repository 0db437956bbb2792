// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev What still works, and that nothing is lost, when the token blocks somebody or stops altogether.
contract BlockedTest is EscrowTest {
    bytes private constant BLOCKED = abi.encodeWithSignature("Error(string)", "Blacklistable: account is blacklisted");
    bytes private constant STOPPED = abi.encodeWithSignature("Error(string)", "Pausable: paused");

    function test_aBlockedPayeeIsCreditedAndDelaysNobodyElse() public {
        usdc.blacklist(PAYEE);
        (IEscrow.Terms memory terms, ) = funded();
        releaseAccepted(terms);
        refused(PAYEE, abi.encodeCall(escrow.withdraw, ()), BLOCKED);
        refused(STRANGER, abi.encodeCall(escrow.withdrawFor, (PAYEE)), BLOCKED);
        paid(FEE_RECIPIENT, FEE);
        assertClaimable(PAYEE, NET);

        usdc.unBlacklist(PAYEE);
        paid(PAYEE, NET);
        assertOwes(0);
    }

    function test_aBlockedPayeeCanStillRefund() public {
        (IEscrow.Terms memory terms, ) = funded();
        usdc.blacklist(PAYEE);
        works(PAYEE, abi.encodeCall(escrow.refundByPayee, (terms, payer)));
        paid(payer, PRICE);
        assertOwes(0);
    }

    function test_aBlockedPayerCannotFundUntilItIsFree() public {
        IEscrow.Terms memory terms = order();
        bytes memory transfer = abi.encodeCall(escrow.fund, (terms, payer, 0, terms.fundBy, signed(terms, PAYER_KEY)));
        usdc.blacklist(payer);
        refused(STRANGER, transfer, BLOCKED);
        refused(STRANGER, receiveCall(terms), BLOCKED);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.None);

        usdc.unBlacklist(payer);
        works(STRANGER, transfer);
        assertOwes(PRICE);
    }

    function test_aPayerBlockedLaterStopsNoRelease() public {
        (IEscrow.Terms memory terms, ) = funded();
        usdc.blacklist(payer);
        releaseAccepted(terms);
        paid(PAYEE, NET);
        paid(FEE_RECIPIENT, FEE);
        assertOwes(0);
    }

    function test_aBlockedPayersRefundWaitsOrGoesWhereItSays() public {
        (IEscrow.Terms memory terms, ) = funded();
        usdc.blacklist(payer);
        vm.warp(terms.expiry + 1);
        works(payer, abi.encodeCall(escrow.reclaim, (terms)));
        refused(payer, abi.encodeCall(escrow.withdraw, ()), BLOCKED);
        refused(payer, abi.encodeCall(escrow.withdrawTo, (payer)), BLOCKED);
        assertClaimable(payer, PRICE);

        works(payer, abi.encodeCall(escrow.withdrawTo, (STRANGER)));
        vm.assertEq(usdc.balanceOf(STRANGER), PRICE, "the chosen address's tokens");
        assertOwes(0);
    }

    function test_aPaymentOfAPayerBlockedSinceCanBeAdoptedThoughNotReturned() public {
        IEscrow.Terms memory terms = order();
        bytes32 nonce = escrow.termsHash(terms);
        submitDirectly(PAYER_KEY, address(escrow), PRICE, nonce);
        usdc.blacklist(payer);
        announceReturnStray(payer, nonce, PRICE);
        passStrayDelay();
        refused(RESOLVER, abi.encodeCall(escrow.returnStray, (payer, nonce, PRICE)), BLOCKED);
        announceAdopt(terms, payer);
        passStrayDelay();
        works(RESOLVER, abi.encodeCall(escrow.adopt, (terms, payer)));
        assertOwes(PRICE);
    }

    function test_aBlockedFeeRecipientStopsNoSale() public {
        usdc.blacklist(FEE_RECIPIENT);
        (IEscrow.Terms memory terms, ) = funded();
        works(payer, abi.encodeCall(escrow.releaseByPayer, (terms)));
        paid(PAYEE, NET);
        refused(STRANGER, abi.encodeCall(escrow.withdrawFor, (FEE_RECIPIENT)), BLOCKED);
        works(FEE_RECIPIENT, abi.encodeCall(escrow.withdrawTo, (STRANGER)));
        vm.assertEq(usdc.balanceOf(STRANGER), FEE, "the chosen address's tokens");
        assertOwes(0);
    }

    function test_aBlockedRelayerAndResolverStillServe() public {
        usdc.blacklist(STRANGER);
        usdc.blacklist(RESOLVER);
        IEscrow.Terms memory terms = order();
        works(STRANGER, abi.encodeCall(escrow.fund, (terms, payer, 0, terms.fundBy, signed(terms, PAYER_KEY))));
        releaseAccepted(terms);
        works(STRANGER, abi.encodeCall(escrow.withdrawFor, (PAYEE)));
        works(STRANGER, abi.encodeCall(escrow.withdrawFor, (FEE_RECIPIENT)));

        bytes32 nonce = keccak256("stray");
        submitDirectly(PAYER_KEY, address(escrow), PRICE, nonce);
        works(RESOLVER, abi.encodeCall(escrow.announceReturnStray, (payer, nonce, PRICE)));
        passStrayDelay();
        works(RESOLVER, abi.encodeCall(escrow.returnStray, (payer, nonce, PRICE)));
        assertOwes(0);
        vm.assertEq(usdc.balanceOf(address(escrow)), 0, "nothing is left");
    }

    function test_aBlockedEscrowKeepsItsBooksAndPaysWhenFree() public {
        bytes memory stop = abi.encodeCall(usdc.blacklist, (address(escrow)));
        everythingWaits(BLOCKED, stop, abi.encodeCall(usdc.unBlacklist, (address(escrow))));
    }

    function test_aPausedTokenKeepsNobodyFromTheirCredit() public {
        everythingWaits(STOPPED, abi.encodeCall(usdc.pause, ()), abi.encodeCall(usdc.unpause, ()));
    }

    /// @dev While the token moves nothing: what pays is refused, what only credits goes on, and all is paid
    /// afterwards.
    function everythingWaits(bytes memory reason, bytes memory stop, bytes memory start) private {
        IEscrow.Terms[4] memory terms;
        for (uint256 i = 0; i < 4; ++i) {
            terms[i] = order();
            terms[i].order = keccak256(abi.encode(i));
            fund(terms[i]);
        }
        IEscrow.Terms memory stray = order();
        submitDirectly(PAYER_KEY, address(escrow), PRICE, escrow.termsHash(stray));
        bytes32 nonce = keccak256("stray");
        submitDirectly(PAYER_KEY, address(escrow), PRICE, nonce);
        usdc.mint(address(escrow), 1);
        vm.prank(ADMIN);
        escrow.announceRescue(STRANGER, 1);
        uint256 rescuableAt = timeNow() + 30 days;
        call(address(usdc), stop);
        works(RESOLVER, abi.encodeCall(escrow.announceAdopt, (stray, payer)));
        works(RESOLVER, abi.encodeCall(escrow.announceReturnStray, (payer, nonce, PRICE)));
        passStrayDelay();

        vm.assertEq(escrow.surplus(), 2 * PRICE + 1, "surplus");
        works(RESOLVER, abi.encodeCall(escrow.adopt, (stray, payer)));
        refused(RESOLVER, abi.encodeCall(escrow.returnStray, (payer, nonce, PRICE)), reason);
        IEscrow.Terms memory next = order();
        next.order = keccak256("next");
        refused(STRANGER, abi.encodeCall(escrow.fund, (next, payer, 0, next.fundBy, signed(next, PAYER_KEY))), reason);
        refused(STRANGER, receiveCall(next), reason);
        releaseAccepted(terms[0]);
        works(payer, abi.encodeCall(escrow.releaseByPayer, (terms[1])));
        works(PAYEE, abi.encodeCall(escrow.refundByPayee, (terms[2], payer)));
        vm.warp(terms[3].expiry + 1);
        works(payer, abi.encodeCall(escrow.reclaim, (terms[3])));
        refused(PAYEE, abi.encodeCall(escrow.withdraw, ()), reason);
        refused(PAYEE, abi.encodeCall(escrow.withdrawTo, (STRANGER)), reason);
        refused(STRANGER, abi.encodeCall(escrow.withdrawFor, (payer)), reason);
        vm.warp(rescuableAt);
        refused(ADMIN, abi.encodeCall(escrow.rescue, ()), reason);

        call(address(usdc), start);
        paid(PAYEE, 2 * NET);
        paid(FEE_RECIPIENT, 2 * FEE);
        paid(payer, 2 * PRICE);
        works(ADMIN, abi.encodeCall(escrow.rescue, ()));
        works(RESOLVER, abi.encodeCall(escrow.returnStray, (payer, nonce, PRICE)));
        assertOwes(PRICE);
        vm.assertEq(usdc.balanceOf(address(escrow)), PRICE, "the adopted payment alone is left");
    }

    function releaseAccepted(IEscrow.Terms memory terms) private {
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
    }

    function receiveCall(IEscrow.Terms memory terms) private view returns (bytes memory data) {
        bytes memory signature = signReceive(PAYER_KEY, address(escrow), PRICE, terms.fundBy, escrow.termsHash(terms));
        return abi.encodeCall(escrow.fundWithReceive, (terms, payer, 0, terms.fundBy, signature));
    }

    /// @dev The account takes all its credit out, and it is this much.
    function paid(address account, uint256 amount) private {
        uint256 before = usdc.balanceOf(account);
        works(account, abi.encodeCall(escrow.withdraw, ()));
        vm.assertEq(usdc.balanceOf(account) - before, amount, "tokens paid");
        assertClaimable(account, 0);
    }

    function works(address sender, bytes memory data) private {
        vm.prank(sender);
        call(address(escrow), data);
    }

    function call(address target, bytes memory data) private {
        (bool success, ) = target.call(data);
        vm.assertTrue(success, "must work");
    }

    /// @dev The call reverts for this reason, and what is owed stays owed.
    function refused(address sender, bytes memory data, bytes memory expected) private {
        uint256 owed = escrow.totalOwed();
        vm.prank(sender);
        (bool success, bytes memory reason) = address(escrow).call(data);
        vm.assertFalse(success, "must be refused");
        vm.assertEq(keccak256(reason), keccak256(expected), "reason");
        assertOwes(owed);
    }
}
