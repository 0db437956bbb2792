// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract ReturnStrayTest is EscrowTest {
    bytes32 private constant NONCE = keccak256("a nonce of no order");

    function test_givesItBackToItsSender() public {
        uint256 before = usdc.balanceOf(payer);
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        vm.expectEmit(address(escrow));
        emit IEscrow.StrayReturned(payer, NONCE, PRICE);
        returnStray(PRICE);
        vm.assertEq(usdc.balanceOf(payer), before, "the sender's tokens");
        assertState(keccak256(abi.encode(NONCE, payer)), IEscrow.HoldState.Returned);
        assertOwes(0);
    }

    function test_happensOnce() public {
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        usdc.mint(address(escrow), PRICE);
        returnStray(PRICE);
        expectWrongState(
            keccak256(abi.encode(NONCE, payer)),
            IEscrow.HoldState.Returned,
            IEscrow.HoldState.None
        );
        returnStray(PRICE);
    }

    function test_notWhatWasFundedOrAdopted() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        usdc.mint(address(escrow), PRICE);
        bytes32 nonce = escrow.termsHash(terms);
        expectWrongState(id, IEscrow.HoldState.Held, IEscrow.HoldState.None);
        vm.prank(RESOLVER);
        escrow.returnStray(payer, nonce, PRICE);

        terms.order = keccak256("market:order:2");
        nonce = escrow.termsHash(terms);
        submitDirectly(PAYER_KEY, address(escrow), PRICE, nonce);
        vm.prank(RESOLVER);
        escrow.adopt(terms, payer);
        expectWrongState(escrow.holdId(terms, payer), IEscrow.HoldState.Held, IEscrow.HoldState.None);
        vm.prank(RESOLVER);
        escrow.returnStray(payer, nonce, PRICE);
        assertOwes(2 * PRICE);
    }

    function test_refusesAnUnusedAuthorization() public {
        usdc.mint(address(escrow), PRICE);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.AuthorizationUnused.selector, payer, NONCE));
        returnStray(PRICE);
    }

    function test_neverTouchesWhatIsOwed(uint256 amount) public {
        funded();
        submitDirectly(PAYER_KEY, address(escrow), 5, NONCE);
        vm.assume(amount > 5);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, amount, 5));
        returnStray(amount);
        assertOwes(PRICE);
    }

    function test_refusesNothing() public {
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        vm.expectRevert(IEscrow.ZeroAmount.selector);
        returnStray(0);
    }

    function test_onlyTheResolverMayAndNotDuringAPause() public {
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.NotResolver.selector, payer, RESOLVER));
        vm.prank(payer);
        escrow.returnStray(payer, NONCE, PRICE);

        vm.prank(PAUSER);
        escrow.pause();
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil()));
        returnStray(PRICE);
    }

    function test_aBlockedSenderKeepsItsClaim() public {
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        usdc.blacklist(payer);
        vm.expectRevert("Blacklistable: account is blacklisted");
        returnStray(PRICE);
        usdc.unBlacklist(payer);
        returnStray(PRICE);
        vm.assertEq(escrow.surplus(), 0, "surplus");
    }

    function returnStray(uint256 amount) private {
        vm.prank(RESOLVER);
        escrow.returnStray(payer, NONCE, amount);
    }
}
