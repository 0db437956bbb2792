// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev What the resolver announces for a stray payment: when it takes effect, and what ends it.
contract AnnouncedStrayTest is EscrowTest {
    address private constant NEXT = address(0xB1);

    IEscrow.Terms private terms;
    bytes32 private nonce;

    function setUp() public override {
        super.setUp();
        terms = paidDirectly();
        nonce = escrow.termsHash(terms);
    }

    function test_takesEffectAfterFourDays() public {
        uint48 availableAt = uint48(timeNow() + 4 days);
        vm.expectEmit(address(escrow));
        emit IEscrow.StrayAnnounced(payer, nonce, IEscrow.StrayAction.Adopt, PRICE, availableAt);
        announceAdopt(terms, payer);
        assertAnnounced(IEscrow.StrayAction.Adopt, PRICE, availableAt);
        vm.warp(availableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAvailable.selector, availableAt));
        adopt(terms, payer);
        vm.warp(availableAt);
        adopt(terms, payer);
        assertNothingAnnounced();
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
    }

    function test_aReturnTakesEffectAfterFourDaysToo() public {
        uint48 availableAt = uint48(timeNow() + 4 days);
        vm.expectEmit(address(escrow));
        emit IEscrow.StrayAnnounced(payer, nonce, IEscrow.StrayAction.Return, PRICE, availableAt);
        announceReturnStray(payer, nonce, PRICE);
        assertAnnounced(IEscrow.StrayAction.Return, PRICE, availableAt);
        vm.warp(availableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAvailable.selector, availableAt));
        returnStray(payer, nonce, PRICE);
        vm.warp(availableAt);
        returnStray(payer, nonce, PRICE);
        assertNothingAnnounced();
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Returned);
    }

    function test_nothingHappensUnannounced() public {
        expectNotAnnounced();
        adopt(terms, payer);
        expectNotAnnounced();
        returnStray(payer, nonce, PRICE);
    }

    function test_oneActionIsNoAnnouncementOfTheOther() public {
        announceAdopt(terms, payer);
        passStrayDelay();
        expectNotAnnounced();
        returnStray(payer, nonce, PRICE);
        announceReturnStray(payer, nonce, PRICE);
        passStrayDelay();
        expectNotAnnounced();
        adopt(terms, payer);
    }

    function test_oneReplacesTheOtherAndStartsTheDelayAgain() public {
        announceAdopt(terms, payer);
        vm.warp(timeNow() + 3 days);
        announceReturnStray(payer, nonce, PRICE);
        uint48 availableAt = uint48(timeNow() + 4 days);
        assertAnnounced(IEscrow.StrayAction.Return, PRICE, availableAt);
        vm.warp(availableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAvailable.selector, availableAt));
        returnStray(payer, nonce, PRICE);
        announceReturnStray(payer, nonce, PRICE - 1);
        assertAnnounced(IEscrow.StrayAction.Return, PRICE - 1, uint48(timeNow() + 4 days));
    }

    function test_aLargerAmountReplacesASmallerOne() public {
        announceReturnStray(payer, nonce, PRICE - 1);
        announceReturnStray(payer, nonce, PRICE);
        assertAnnounced(IEscrow.StrayAction.Return, PRICE, uint48(timeNow() + 4 days));
    }

    function test_theSameCannotBeAnnouncedAgain() public {
        announceAdopt(terms, payer);
        uint48 availableAt = uint48(timeNow() + 4 days);
        vm.warp(timeNow() + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayAlreadyAnnounced.selector, availableAt));
        announceAdopt(terms, payer);
        announceReturnStray(payer, nonce, PRICE);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayAlreadyAnnounced.selector, timeNow() + 4 days));
        announceReturnStray(payer, nonce, PRICE);
    }

    /// @dev Two payments are announced, and the money of one is here: whichever is carried out first has it.
    function test_reservesNothing() public {
        IEscrow.Terms memory cancelled = order();
        cancelled.order = keccak256("market:order:2");
        cancel(PAYER_KEY, escrow.termsHash(cancelled));
        announceAdopt(terms, payer);
        announceAdopt(cancelled, payer);
        vm.assertEq(escrow.surplus(), PRICE, "surplus");
        passStrayDelay();
        adopt(terms, payer);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, 0));
        adopt(cancelled, payer);
    }

    function test_thePauserCancelsIt() public {
        announceAdopt(terms, payer);
        passStrayDelay();
        vm.expectEmit(address(escrow));
        emit IEscrow.StrayCancelled(payer, nonce);
        cancelStray();
        assertNothingAnnounced();
        expectNotAnnounced();
        adopt(terms, payer);

        announceAdopt(terms, payer);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAvailable.selector, timeNow() + 4 days));
        adopt(terms, payer);
        passStrayDelay();
        adopt(terms, payer);
    }

    function test_onlyWhatIsAnnouncedCanBeCancelled() public {
        expectNotAnnounced();
        cancelStray();
        announceAdopt(terms, payer);
        cancelStray();
        expectNotAnnounced();
        cancelStray();
        announceAdopt(terms, payer);
        nameResolver(NEXT);
        vm.warp(timeNow() + 2 days);
        expectNotAnnounced();
        cancelStray();
    }

    function test_onlyAPauserCancels() public {
        announceAdopt(terms, payer);
        address[3] memory others = [RESOLVER, ADMIN, STRANGER];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAccessControl.AccessControlUnauthorizedAccount.selector,
                    others[i],
                    keccak256("PAUSER_ROLE")
                )
            );
            vm.prank(others[i]);
            escrow.cancelStray(payer, nonce);
        }
    }

    function test_diesWithTheResolverWhoAnnouncedIt() public {
        announceAdopt(terms, payer);
        nameResolver(NEXT);
        vm.warp(timeNow() + 2 days - 1);
        assertAnnounced(IEscrow.StrayAction.Adopt, PRICE, uint48(timeNow() + 2 days + 1));
        vm.warp(timeNow() + 1);
        assertNothingAnnounced();
        vm.warp(timeNow() + 2 days);
        vm.prank(NEXT);
        expectNotAnnounced();
        escrow.adopt(terms, payer);

        vm.prank(NEXT);
        escrow.announceAdopt(terms, payer);
        passStrayDelay();
        vm.prank(NEXT);
        escrow.adopt(terms, payer);
        assertOwes(PRICE);
    }

    /// @dev However late the change is scheduled, as long as a whole delay is left.
    function test_aResolverNamedWithinTwoDaysIsInTime() public {
        announceReturnStray(payer, nonce, PRICE);
        vm.warp(timeNow() + 2 days);
        nameResolver(NEXT);
        vm.warp(timeNow() + 2 days);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.NotResolver.selector, RESOLVER, NEXT));
        returnStray(payer, nonce, PRICE);
    }

    function test_doesNotComeBackWithTheResolver() public {
        announceAdopt(terms, payer);
        nameResolver(NEXT);
        vm.warp(timeNow() + 2 days);
        nameResolver(RESOLVER);
        vm.warp(timeNow() + 2 days);
        assertNothingAnnounced();
        expectNotAnnounced();
        adopt(terms, payer);
    }

    /// @dev A change that is only due, or was cancelled or replaced before it took effect, ends nothing.
    function test_outlivesAChangeThatDidNotTakeEffect() public {
        announceAdopt(terms, payer);
        nameResolver(NEXT);
        vm.warp(timeNow() + 1 days);
        nameResolver(RESOLVER);
        vm.warp(timeNow() + 2 days);
        nameResolver(NEXT);
        vm.warp(timeNow() + 1 days);
        nameResolver(STRANGER);
        adopt(terms, payer);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
    }

    function test_whatIsAnnouncedInTheFirstSecondOfATermStands() public {
        nameResolver(NEXT);
        vm.warp(timeNow() + 2 days);
        vm.prank(NEXT);
        escrow.announceReturnStray(payer, nonce, PRICE);
        assertAnnounced(IEscrow.StrayAction.Return, PRICE, uint48(timeNow() + 4 days));
    }

    function cancelStray() private {
        vm.prank(PAUSER);
        escrow.cancelStray(payer, nonce);
    }

    function nameResolver(address next) private {
        vm.prank(ADMIN);
        escrow.setResolver(next);
    }

    function expectNotAnnounced() private {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.StrayNotAnnounced.selector, payer, nonce));
    }

    function assertNothingAnnounced() private view {
        assertAnnounced(IEscrow.StrayAction.None, 0, 0);
    }

    function assertAnnounced(IEscrow.StrayAction action, uint256 amount, uint48 availableAt) private view {
        (IEscrow.StrayAction actual, uint256 actualAmount, uint48 actualTime) = escrow.announcedStray(payer, nonce);
        vm.assertEq(uint256(actual), uint256(action), "action");
        vm.assertEq(actualAmount, amount, "amount");
        vm.assertEq(actualTime, availableAt, "available at");
    }
}
