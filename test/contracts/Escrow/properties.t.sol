// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Vm} from "../Vm.sol";
import {EscrowWatcher} from "./EscrowWatcher.sol";
import {LiarWatcher} from "./LiarWatcher.sol";

/// @dev Promises that hold after any calls of anybody.
contract EscrowPropertiesTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    // A withdrawal needs about 35,000 besides the 21,000 of its transaction.
    uint256 private constant GAS_OF_A_CALL = 60_000;

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    EscrowWatcher private watcher;
    LiarWatcher private liar;

    function setUp() public {
        watcher = new EscrowWatcher();
        watcher.setUp();
        liar = new LiarWatcher();
        liar.setUp();
    }

    /// @dev Read by the runner: what it may call.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](10);
        selectors[0] = watcher.act.selector;
        selectors[1] = watcher.pay.selector;
        selectors[2] = watcher.cancelPayment.selector;
        selectors[3] = watcher.dust.selector;
        selectors[4] = watcher.dealWithStray.selector;
        selectors[5] = watcher.rescue.selector;
        selectors[6] = watcher.wait.selector;
        selectors[7] = watcher.blockAccount.selector;
        selectors[8] = watcher.releaseLate.selector;
        selectors[9] = watcher.trespass.selector;
        bytes4[] memory others = new bytes4[](3);
        (others[0], others[1], others[2]) = (liar.act.selector, liar.lie.selector, liar.dealWithStray.selector);
        targets = new FuzzSelector[](2);
        targets[0] = FuzzSelector({addr: address(watcher), selectors: selectors});
        targets[1] = FuzzSelector({addr: address(liar), selectors: others});
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](2);
        (targets[0], targets[1]) = (address(watcher), address(liar));
    }

    function invariant_withoutARoleNobodyChangesWhatAnotherHas() public view {
        vm.assertEq(watcher.tampered(), "", "a call without a role");
    }

    function invariant_afterItsExpiryTheResolverGivesAHoldToItsPayerAlone() public view {
        vm.assertEq(watcher.creditedLate(), 0, "credited by the resolver after the expiry");
    }

    function invariant_aPayerTakesItsHoldOutInTwoCallsAfterItsExpiry() public {
        for (uint256 i = 0; i < watcher.dealCount(); ++i) watcher.takeOut(i, GAS_OF_A_CALL);
    }

    function invariant_noMoreIsRescuedReturnedAndAdoptedThanCameWithoutAHold() public view {
        vm.assertLe(watcher.straysOut(), watcher.straysIn(), "rescued, returned and adopted");
    }

    function invariant_aPaymentIsHeldOrReturnedOnceWhateverTheTokenAnswers() public view {
        vm.assertLe(liar.mostUses(), 1, "held or returned");
        vm.assertLe(liar.mostEnds(), 1, "ended");
        vm.assertLe(liar.credited(), liar.held(), "credited");
    }
}
