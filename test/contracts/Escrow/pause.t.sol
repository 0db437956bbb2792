// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract PauseTest is EscrowTest {
    function test_liftsItselfAfterSevenDays() public {
        uint48 until = uint48(timeNow() + 7 days);
        vm.expectEmit(address(escrow));
        emit IEscrowControls.Paused(until);
        pause();
        vm.assertTrue(escrow.paused(), "paused at once");
        vm.warp(until - 1);
        vm.assertTrue(escrow.paused(), "paused to the end");
        vm.warp(until);
        vm.assertFalse(escrow.paused(), "lifted");
        fund(order());
    }

    function test_cannotBeExtendedOrRecurWithin30DaysOfItsEnd() public {
        pause();
        uint48 earliest = escrow.pausedUntil() + 30 days;
        expectTooSoon(earliest);
        vm.warp(earliest - 1);
        expectTooSoon(earliest);
        vm.warp(earliest);
        pause();
        vm.assertTrue(escrow.paused(), "paused again");
    }

    function test_endedEarlyItCannotRecurWithin30DaysEither() public {
        pause();
        vm.warp(timeNow() + 1 days);
        vm.expectEmit(address(escrow));
        emit IEscrowControls.Unpaused();
        vm.prank(PAUSER);
        escrow.unpause();
        vm.assertFalse(escrow.paused(), "ended");
        uint48 earliest = uint48(timeNow() + 30 days);
        expectTooSoon(earliest);
        vm.warp(earliest);
        pause();
    }

    function test_onlyAPauseCanBeEnded() public {
        vm.expectRevert(IEscrowControls.NotPaused.selector);
        vm.prank(PAUSER);
        escrow.unpause();
    }

    function test_onlyAPauserMay() public {
        bytes32 role = escrow.PAUSER_ROLE();
        bytes memory reason = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector,
            STRANGER,
            role
        );
        vm.expectRevert(reason);
        vm.prank(STRANGER);
        escrow.pause();
        pause();
        vm.expectRevert(reason);
        vm.prank(STRANGER);
        escrow.unpause();
    }

    function test_theAdminNamesPausers() public {
        bytes32 role = escrow.PAUSER_ROLE();
        vm.startPrank(ADMIN);
        escrow.revokeRole(role, PAUSER);
        escrow.grantRole(role, STRANGER);
        vm.stopPrank();
        vm.prank(STRANGER);
        escrow.pause();
        vm.assertTrue(escrow.paused(), "paused");
    }

    function pause() private {
        vm.prank(PAUSER);
        escrow.pause();
    }

    function expectTooSoon(uint48 earliest) private {
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.PauseTooSoon.selector, earliest));
        pause();
    }
}
