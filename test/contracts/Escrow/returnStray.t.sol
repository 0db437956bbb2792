// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract ReturnStrayTest is EscrowTest {
    bytes32 private constant NONCE = keccak256("a nonce of no order");

    function test_givesItBackToItsSender() public {
        uint256 before = usdc.balanceOf(payer);
        paid();
        announced(PRICE);
        vm.expectEmit(address(escrow));
        emit IEscrow.StrayReturned(payer, NONCE, PRICE);
        returnStray(payer, NONCE, PRICE);
        vm.assertEq(usdc.balanceOf(payer), before, "the sender's tokens");
        assertState(keccak256(abi.encode(NONCE, payer)), IEscrow.HoldState.Returned);
        assertOwes(0);
    }

    function test_happensOnce() public {
        paid();
        usdc.mint(address(escrow), PRICE);
        announced(PRICE);
        returnStray(payer, NONCE, PRICE);
        expectNotAnnounced(PRICE);
        expectWrongState(
            keccak256(abi.encode(NONCE, payer)),
            IEscrow.HoldState.Returned,
            IEscrow.HoldState.None
        );
        announceReturnStray(payer, NONCE, PRICE);
    }

    function test_notWhatWasFundedOrAdopted() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        usdc.mint(address(escrow), PRICE);
        bytes32 nonce = escrow.termsHash(terms);
        expectWrongState(id, IEscrow.HoldState.Held, IEscrow.HoldState.None);
        announceReturnStray(payer, nonce, PRICE);

        terms.order = keccak256("market:order:2");
        nonce = escrow.termsHash(terms);
        submitDirectly(PAYER_KEY, address(escrow), PRICE, nonce);
        announceAdopt(terms, payer);
        passStrayDelay();
        adopt(terms, payer);
        expectWrongState(escrow.holdId(terms, payer), IEscrow.HoldState.Held, IEscrow.HoldState.None);
        announceReturnStray(payer, nonce, PRICE);
        assertOwes(2 * PRICE);
    }

    function test_refusesToAnnounceAnUnusedAuthorization() public {
        usdc.mint(address(escrow), PRICE);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.AuthorizationUnused.selector, payer, NONCE));
        announceReturnStray(payer, NONCE, PRICE);
    }

    function test_neverTouchesWhatIsOwed(uint256 amount) public {
        funded();
        submitDirectly(PAYER_KEY, address(escrow), 5, NONCE);
        vm.assume(amount > 5);
        announced(amount);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, amount, 5));
        returnStray(payer, NONCE, amount);
        assertOwes(PRICE);
    }

    function test_refusesToAnnounceNothing() public {
        paid();
        vm.expectRevert(IEscrow.ZeroAmount.selector);
        announceReturnStray(payer, NONCE, 0);
    }

    function test_onlyTheResolverMay() public {
        paid();
        bytes memory reason = abi.encodeWithSelector(IEscrowControls.NotResolver.selector, payer, RESOLVER);
        vm.expectRevert(reason);
        vm.prank(payer);
        escrow.announceReturnStray(payer, NONCE, PRICE);
        announced(PRICE);
        vm.expectRevert(reason);
        vm.prank(payer);
        escrow.returnStray(payer, NONCE, PRICE);
    }

    function test_isStoppedByAPauseAndItsAnnouncementIsNot() public {
        paid();
        vm.prank(PAUSER);
        escrow.pause();
        announced(PRICE);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil()));
        returnStray(payer, NONCE, PRICE);
        vm.warp(escrow.pausedUntil());
        returnStray(payer, NONCE, PRICE);
        vm.assertEq(escrow.surplus(), 0, "surplus");
    }

    function test_aBlockedSenderKeepsItsClaim() public {
        paid();
        announced(PRICE);
        usdc.blacklist(payer);
        vm.expectRevert("Blacklistable: account is blacklisted");
        returnStray(payer, NONCE, PRICE);
        usdc.unBlacklist(payer);
        returnStray(payer, NONCE, PRICE);
        vm.assertEq(escrow.surplus(), 0, "surplus");
    }

    function test_returnsTheAnnouncedAmountAlone() public {
        paid();
        usdc.mint(address(escrow), 1);
        announced(PRICE);
        expectNotAnnounced(PRICE + 1);
        expectNotAnnounced(PRICE - 1);
        returnStray(payer, NONCE, PRICE);
    }

    function paid() private {
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
    }

    /// @dev Announces it, and lets the delay pass.
    function announced(uint256 amount) private {
        announceReturnStray(payer, NONCE, amount);
        passStrayDelay();
    }

    function expectNotAnnounced(uint256 amount) private {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAnnounced.selector, payer, NONCE));
        returnStray(payer, NONCE, amount);
    }
}
