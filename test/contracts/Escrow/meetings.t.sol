// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev Two things that are due in the same second, or that there is money for one of.
contract MeetingsTest is EscrowTest {
    address private constant NEXT = address(0xB1);
    bytes32 private constant NONCE = keccak256("a nonce of no order");

    /// @dev Due in the first second of the next resolver: the former one is no longer in office, and what it
    /// announced is gone.
    function test_anAdoptionDueInTheSecondOfAChangeOfResolverIsNobodysAnyMore() public {
        IEscrow.Terms memory terms = paidDirectly();
        announceAdopt(terms, payer);
        changeResolverWithTheStray();
        vm.expectRevert(notResolver(RESOLVER, NEXT));
        adopt(terms, payer);
        vm.expectRevert(notAnnounced(escrow.termsHash(terms)));
        vm.prank(NEXT);
        escrow.adopt(terms, payer);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.None);
        vm.assertEq(escrow.surplus(), PRICE, "surplus");
    }

    function test_aReturnDueInTheSecondOfAChangeOfResolverIsNobodysAnyMore() public {
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        announceReturnStray(payer, NONCE, PRICE);
        changeResolverWithTheStray();
        vm.expectRevert(notResolver(RESOLVER, NEXT));
        returnStray(payer, NONCE, PRICE);
        vm.expectRevert(notAnnounced(NONCE));
        vm.prank(NEXT);
        escrow.returnStray(payer, NONCE, PRICE);
        vm.assertEq(escrow.surplus(), PRICE, "surplus");
    }

    /// @dev A change one second later leaves the last second to the former one.
    function test_anAdoptionDueInTheLastSecondOfAResolverIsStillIts() public {
        IEscrow.Terms memory terms = paidDirectly();
        announceAdopt(terms, payer);
        vm.warp(timeNow() + 2 days + 1);
        setResolver(NEXT);
        vm.warp(timeNow() + 2 days - 1);
        adopt(terms, payer);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
    }

    function test_aReleaseInTheSecondOfAChangeIsTheNextResolvers() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        setResolver(NEXT);
        vm.warp(timeNow() + 2 days);
        vm.expectRevert(notResolver(RESOLVER, NEXT));
        release(terms, recipients, amounts);
        vm.prank(NEXT);
        escrow.release(terms, payer, recipients, amounts);
        assertState(id, IEscrow.HoldState.Released);
    }

    function test_aReleaseInTheLastSecondBeforeAChangeIsTheFormerResolvers() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        setResolver(NEXT);
        vm.warp(timeNow() + 2 days - 1);
        vm.expectRevert(notResolver(NEXT, RESOLVER));
        vm.prank(NEXT);
        escrow.release(terms, payer, recipients, amounts);
        release(terms, recipients, amounts);
        assertState(id, IEscrow.HoldState.Released);
    }

    /// @dev The sender paid once and cancelled once: there is money for one of two spent nonces.
    function test_anAdoptionTakesWhatAReturnToTheSameSenderWouldHave() public {
        IEscrow.Terms memory terms = twoStraysForOne();
        adopt(terms, payer);
        vm.expectRevert(exceeded());
        returnStray(payer, NONCE, PRICE);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
        assertState(keccak256(abi.encode(NONCE, payer)), IEscrow.HoldState.None);
        assertOwes(PRICE);
    }

    function test_aReturnTakesWhatAnAdoptionForTheSameSenderWouldHave() public {
        IEscrow.Terms memory terms = twoStraysForOne();
        uint256 before = usdc.balanceOf(payer);
        returnStray(payer, NONCE, PRICE);
        vm.assertEq(usdc.balanceOf(payer), before + PRICE, "the sender's tokens");
        vm.expectRevert(exceeded());
        adopt(terms, payer);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.None);
        assertOwes(0);
        // The other one waits for money of its own.
        usdc.mint(address(escrow), PRICE);
        adopt(terms, payer);
        assertOwes(PRICE);
    }

    /// @dev One is a micro too much for both.
    function test_twoReturnsToOneSenderShareTheSurplusToTheLastMicro() public {
        bytes32 other = keccak256("another nonce of no order");
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        cancel(PAYER_KEY, other);
        announceReturnStray(payer, NONCE, PRICE - 1);
        announceReturnStray(payer, other, 2);
        passStrayDelay();
        returnStray(payer, NONCE, PRICE - 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, 2, 1));
        returnStray(payer, other, 2);
        announceReturnStray(payer, other, 1);
        passStrayDelay();
        returnStray(payer, other, 1);
        vm.assertEq(escrow.surplus(), 0, "surplus");
    }

    function test_aSecondPauseBeginsInTheVerySecondItMayAndNotInThatOfTheFirstsEnd() public {
        pause();
        uint48 until = escrow.pausedUntil();
        vm.warp(until);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.PauseTooSoon.selector, until + 30 days));
        pause();
        vm.warp(until + 30 days);
        pause();
        vm.assertEq(escrow.pausedUntil(), until + 37 days, "end of the second pause");
        vm.assertEq(escrow.pausableFrom(), until + 67 days, "the third pause");
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.PauseTooSoon.selector, until + 67 days));
        pause();
    }

    function test_aPauseEndedInItsFirstSecondCountsAsOne() public {
        pause();
        vm.prank(PAUSER);
        escrow.unpause();
        vm.assertEq(escrow.pausedUntil(), timeNow(), "end of the pause");
        vm.assertEq(escrow.pausableFrom(), timeNow() + 30 days, "the next pause");
        vm.expectRevert(IEscrowControls.NotPaused.selector);
        vm.prank(PAUSER);
        escrow.unpause();
    }

    /// @dev An adoption and a return for one sender, both due, and money for one.
    function twoStraysForOne() private returns (IEscrow.Terms memory terms) {
        terms = paidDirectly();
        cancel(PAYER_KEY, NONCE);
        announceAdopt(terms, payer);
        announceReturnStray(payer, NONCE, PRICE);
        passStrayDelay();
    }

    /// @dev From now, what was announced is due in the first second of the next resolver.
    function changeResolverWithTheStray() private {
        vm.warp(timeNow() + 2 days);
        setResolver(NEXT);
        vm.warp(timeNow() + 2 days);
    }

    function setResolver(address next) private {
        vm.prank(ADMIN);
        escrow.setResolver(next);
    }

    function pause() private {
        vm.prank(PAUSER);
        escrow.pause();
    }

    function notResolver(address caller, address current) private pure returns (bytes memory reason) {
        return abi.encodeWithSelector(IEscrowControls.NotResolver.selector, caller, current);
    }

    function notAnnounced(bytes32 nonce) private view returns (bytes memory reason) {
        return abi.encodeWithSelector(IEscrow.StrayNotAnnounced.selector, payer, nonce);
    }

    function exceeded() private pure returns (bytes memory reason) {
        return abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, 0);
    }
}
