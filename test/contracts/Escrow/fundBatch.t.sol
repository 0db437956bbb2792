// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {IUsdc} from "../IUsdc.sol";
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

    function test_emitsFundedRightAfterTheTokensEventsOfEachItem() public {
        IEscrow.Funding[] memory items = batch();
        vm.recordLogs();
        escrow.fundBatch(items);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 3 * items.length, "number of logs");
        for (uint256 i = 0; i < items.length; ++i) {
            IEscrow.Terms memory terms = items[i].terms;
            vm.assertEq(logs[3 * i].topics[0], IUsdc.AuthorizationUsed.selector, "first log");
            vm.assertEq(logs[3 * i].topics[2], escrow.termsHash(terms), "nonce");
            vm.assertEq(logs[3 * i + 1].topics[0], IERC20.Transfer.selector, "second log");
            Vm.Log memory log = logs[3 * i + 2];
            vm.assertEq(log.topics[0], IEscrow.Funded.selector, "third log");
            vm.assertEq(log.topics[1], escrow.holdId(terms, payer), "hold");
            vm.assertEq(log.topics[2], terms.order, "order");
            vm.assertEq(log.topics[3], bytes32(uint256(uint160(payer))), "payer");
            vm.assertEq(keccak256(log.data), keccak256(abi.encode(terms, false)), "terms and adopted");
        }
    }

    function test_fundsUntilTheLastMomentAndNotAfterIt() public {
        IEscrow.Terms memory terms = order();
        uint256 validBefore = terms.fundBy + 2;
        bytes memory signature =
            signTransfer(PAYER_KEY, address(escrow), terms.amount, validBefore, escrow.termsHash(terms));
        IEscrow.Funding[] memory items = new IEscrow.Funding[](1);
        items[0] = IEscrow.Funding(terms, payer, 0, validBefore, signature);
        vm.warp(terms.fundBy + 1);
        escrow.fundBatch(items);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.None);
        vm.warp(terms.fundBy);
        escrow.fundBatch(items);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
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

    /// @dev Whatever is wrong with an item, it fails with the error of its own `fund`, and the rest goes on.
    function test_reportsWhatEachItemWouldRevertWith() public {
        fund(orderOf(8));
        IEscrow.Funding[] memory items = new IEscrow.Funding[](11);
        bytes[] memory reasons = new bytes[](items.length);
        for (uint256 i = 0; i < items.length; ++i) {
            items[i] = flawed(i);
            if (i == 0 || i == 10) continue;
            (, reasons[i]) = address(escrow).call(fundCall(items[i]));
            vm.assertGe(reasons[i].length, 4, "an error");
        }
        uint256 owed = escrow.totalOwed();
        vm.recordLogs();
        escrow.fundBatch(items);
        vm.assertEq(escrow.totalOwed() - owed, 2 * PRICE, "of those that are sound");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 failed;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IEscrow.BatchItemFailed.selector) continue;
            uint256 index = ++failed;
            bytes32 id = escrow.holdId(items[index].terms, items[index].from);
            vm.assertEq(uint256(logs[i].topics[1]), index, "index");
            vm.assertEq(keccak256(logs[i].data), keccak256(abi.encode(id, reasons[index])), "hold and reason");
        }
        vm.assertEq(failed, 9, "failures");
    }

    function test_whatTheTokenRefusedCanBeFundedLater() public {
        IEscrow.Funding[] memory items = batch();
        usdc.blacklist(payer);
        escrow.fundBatch(items);
        assertOwes(0);
        assertState(escrow.holdId(items[0].terms, payer), IEscrow.HoldState.None);
        usdc.unBlacklist(payer);
        escrow.fundBatch(items);
        assertOwes(3 * PRICE);
    }

    /// @dev Anybody can sign for more than there is.
    function test_anItemOfTheLargestAmountStopsNoOther() public {
        IEscrow.Funding[] memory items = batch();
        items[1].terms.amount = type(uint128).max;
        items[1].signature = signed(items[1].terms, PAYER_KEY);
        escrow.fundBatch(items);
        assertOwes(2 * PRICE);
        assertState(escrow.holdId(items[1].terms, payer), IEscrow.HoldState.None);
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
        for (uint256 i = 0; i < items.length; ++i) items[i] = item(orderOf(i));
    }

    function orderOf(uint256 number) private view returns (IEscrow.Terms memory terms) {
        terms = order();
        terms.order = keccak256(abi.encode("order", number));
    }

    function item(IEscrow.Terms memory terms) private view returns (IEscrow.Funding memory made) {
        return IEscrow.Funding(terms, payer, 0, terms.fundBy, signed(terms, PAYER_KEY));
    }

    /// @dev Each of 1 to 9 has another flaw. The eighth is there already.
    function flawed(uint256 flaw) private view returns (IEscrow.Funding memory made) {
        IEscrow.Terms memory terms = orderOf(flaw);
        if (flaw == 1) terms.fundBy = uint48(timeNow() - 1);
        if (flaw == 2) terms.payee = address(usdc);
        if (flaw == 3) terms.feeRecipient = address(0);
        if (flaw == 4) terms.feeRecipient = payer;
        if (flaw == 5) terms.feeBps = 10_001;
        if (flaw == 6) terms.amount = 0;
        if (flaw == 7) terms.expiry = terms.fundBy;
        made = item(terms);
        if (flaw == 9) made.signature = signed(terms, PAYER_KEY + 1);
    }

    function fundCall(IEscrow.Funding memory made) private view returns (bytes memory data) {
        bytes memory signature = made.signature;
        return abi.encodeCall(escrow.fund, (made.terms, made.from, made.validAfter, made.validBefore, signature));
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
