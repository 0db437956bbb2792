// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {Vm} from "../Vm.sol";

/// @dev A wallet whose signature check uses all the gas there is.
contract GasBurningWallet is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        while (true) {}
        return 0;
    }
}

contract FundBatchTest is EscrowTest {
    function test_holdsEveryPayment() public {
        IEscrow.Funding[] memory items = batch();
        vm.prank(STRANGER);
        escrow.fundBatch(items);
        assertOwes(3 * PRICE);
        for (uint256 i = 0; i < items.length; ++i) {
            assertState(escrow.holdId(items[i].terms, payer), IEscrow.HoldState.Held);
        }
    }

    function test_oneFailureChangesNothingAndDoesNotStopTheRest() public {
        IEscrow.Funding[] memory items = batch();
        items[1].terms.payee = address(0);
        vm.recordLogs();
        escrow.fundBatch(items);
        assertOwes(2 * PRICE);
        assertState(escrow.holdId(items[2].terms, payer), IEscrow.HoldState.Held);

        bytes memory reason = abi.encodeWithSelector(IEscrow.InvalidPayee.selector, address(0));
        expectFailure(1, escrow.holdId(items[1].terms, payer), reason);
    }

    function test_anItemThatBurnsGasBurnsItsShareOnly() public {
        address burner = address(new GasBurningWallet());
        usdc.mint(burner, PRICE);
        IEscrow.Funding[] memory items = batch();
        items[0].from = burner;
        vm.recordLogs();
        uint256 before = gasleft();
        escrow.fundBatch{gas: 4_000_000}(items);
        vm.assertLe(before - gasleft(), escrow.FUND_ITEM_GAS() + 400_000, "gas used");
        assertOwes(2 * PRICE);
        // The token takes a wallet that answers nothing for one that refuses.
        bytes memory reason = abi.encodeWithSignature("Error(string)", "FiatTokenV2: invalid signature");
        expectFailure(0, escrow.holdId(items[0].terms, burner), reason);
    }

    function test_refusesATransactionTooPoorForItsItems() public {
        IEscrow.Funding[] memory items = batch();
        try escrow.fundBatch{gas: escrow.FUND_ITEM_GAS()}(items) {
            vm.assertTrue(false, "must revert");
        } catch (bytes memory reason) {
            vm.assertEq(bytes32(bytes4(reason)), bytes32(IEscrow.InsufficientBatchGas.selector), "reason");
        }
        assertOwes(0);
    }

    function test_isStoppedByAPause() public {
        IEscrow.Funding[] memory items = batch();
        vm.prank(PAUSER);
        escrow.pause();
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil()));
        escrow.fundBatch(items);
    }

    /// @dev Three orders of one payer.
    function batch() private view returns (IEscrow.Funding[] memory items) {
        items = new IEscrow.Funding[](3);
        for (uint256 i = 0; i < items.length; ++i) {
            IEscrow.Terms memory terms = order();
            terms.order = keccak256(abi.encode("order", i));
            items[i] = IEscrow.Funding({
                terms: terms,
                from: payer,
                validAfter: 0,
                validBefore: terms.fundBy,
                signature: signed(terms, PAYER_KEY)
            });
        }
    }

    function expectFailure(uint256 index, bytes32 id, bytes memory reason) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 failures;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IEscrow.BatchItemFailed.selector) continue;
            ++failures;
            vm.assertEq(uint256(logs[i].topics[1]), index, "index");
            vm.assertEq(keccak256(logs[i].data), keccak256(abi.encode(id, reason)), "hold and reason");
        }
        vm.assertEq(failures, 1, "failures");
    }
}
