// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {Vm} from "../Vm.sol";

contract ReleaseBatchTest is EscrowTest {
    function test_releasesEveryHold() public {
        IEscrow.Release[] memory items = batch();
        vm.prank(RESOLVER);
        escrow.releaseBatch(items);
        assertClaimable(PAYEE, 3 * NET);
        assertClaimable(FEE_RECIPIENT, 3 * FEE);
        assertOwes(3 * PRICE);
    }

    function test_oneFailureChangesNothingAndDoesNotStopTheRest() public {
        IEscrow.Release[] memory items = batch();
        items[1].amounts[1] = FEE + 1;
        bytes32 id = escrow.holdId(items[1].terms, payer);
        vm.expectEmit(address(escrow));
        emit IEscrow.BatchItemFailed(
            1,
            id,
            abi.encodeWithSelector(IEscrow.WrongSum.selector, uint256(PRICE) + 1, uint256(PRICE))
        );
        vm.prank(RESOLVER);
        escrow.releaseBatch(items);
        assertState(id, IEscrow.HoldState.Held);
        assertClaimable(PAYEE, 2 * NET);
    }

    function test_oneHoldTwiceIsReleasedOnce() public {
        IEscrow.Release[] memory items = batch();
        items[2] = items[0];
        vm.prank(RESOLVER);
        escrow.releaseBatch(items);
        assertClaimable(PAYEE, 2 * NET);
        assertOwes(3 * PRICE);
    }

    function test_anItemHasRoomForThreeNewAccounts() public {
        IEscrow.Release[] memory items = batch();
        items[0].recipients = new address[](3);
        items[0].amounts = new uint256[](3);
        (items[0].recipients[0], items[0].amounts[0]) = (payer, 10_000_000);
        (items[0].recipients[1], items[0].amounts[1]) = (PAYEE, 9_500_000);
        (items[0].recipients[2], items[0].amounts[2]) = (FEE_RECIPIENT, 500_000);
        vm.prank(RESOLVER);
        escrow.releaseBatch(items);
        assertClaimable(payer, 10_000_000);
    }

    function test_aTransactionTooPoorForItsItemsChangesNothing() public {
        IEscrow.Release[] memory items = batch();
        uint256 gasLimit = 10_000;
        while (!tryBatch(items, gasLimit)) {
            assertClaimable(PAYEE, 0);
            gasLimit += 1_000;
        }
        vm.assertGe(gasLimit, 40_000, "gas that was too little");
        assertClaimable(PAYEE, 3 * NET);
        assertClaimable(FEE_RECIPIENT, 3 * FEE);
    }

    /// @dev Whatever is wrong with an item, it fails with the error of its own `release`, and the rest goes on.
    function test_reportsWhatEachItemWouldRevertWith() public {
        IEscrow.Release[] memory items = new IEscrow.Release[](10);
        bytes[] memory reasons = new bytes[](items.length);
        uint256 failures;
        for (uint256 i = 0; i < items.length; ++i) {
            items[i] = flawed(i);
            vm.prank(RESOLVER);
            (bool success, bytes memory reason) = address(escrow).call(releaseCall(items[i]));
            // The first and the last are sound, and are replaced by others that are.
            if (success) items[i] = item(100 + i);
            else (reasons[i], failures) = (reason, failures + 1);
        }
        vm.assertEq(failures, 8, "flawed items");
        uint256 before = escrow.claimable(PAYEE);
        vm.recordLogs();
        vm.prank(RESOLVER);
        escrow.releaseBatch(items);
        vm.assertEq(escrow.claimable(PAYEE) - before, 2 * NET, "of those that are sound");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, items.length, "an event an item");
        for (uint256 i = 0; i < items.length; ++i) {
            if (reasons[i].length == 0) {
                vm.assertEq(logs[i].topics[0], IEscrow.Released.selector, "released");
                continue;
            }
            bytes32 id = escrow.holdId(items[i].terms, items[i].payer);
            vm.assertEq(logs[i].topics[0], IEscrow.BatchItemFailed.selector, "failed");
            vm.assertEq(uint256(logs[i].topics[1]), i, "index");
            vm.assertEq(keccak256(logs[i].data), keccak256(abi.encode(id, reasons[i])), "hold and reason");
        }
    }

    function test_afterExpiryAnItemThatPaysTheSellerFailsByItself() public {
        IEscrow.Release[] memory items = batch();
        (items[1].recipients, items[1].amounts) = whole(payer, PRICE);
        vm.warp(items[0].terms.expiry + 1);
        vm.prank(RESOLVER);
        escrow.releaseBatch(items);
        assertClaimable(PAYEE, 0);
        assertClaimable(payer, PRICE);
        assertState(escrow.holdId(items[2].terms, payer), IEscrow.HoldState.Held);
    }

    function test_onlyTheResolverMay() public {
        IEscrow.Release[] memory items = batch();
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.NotResolver.selector, STRANGER, RESOLVER));
        vm.prank(STRANGER);
        escrow.releaseBatch(items);
    }

    function test_isStoppedByAPause() public {
        IEscrow.Release[] memory items = batch();
        vm.prank(PAUSER);
        escrow.pause();
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil()));
        vm.prank(RESOLVER);
        escrow.releaseBatch(items);
    }

    /// @dev Three funded orders, each released as accepted.
    function batch() private returns (IEscrow.Release[] memory items) {
        items = new IEscrow.Release[](3);
        for (uint256 i = 0; i < items.length; ++i) items[i] = item(i);
    }

    function item(uint256 number) private returns (IEscrow.Release memory made) {
        IEscrow.Terms memory terms = order();
        terms.order = keccak256(abi.encode("order", number));
        fund(terms);
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        return IEscrow.Release({terms: terms, payer: payer, recipients: recipients, amounts: amounts});
    }

    /// @dev Each of 1 to 8 has another flaw.
    function flawed(uint256 flaw) private returns (IEscrow.Release memory made) {
        made = item(flaw);
        if (flaw == 1) made.recipients = new address[](0);
        if (flaw == 2) (made.recipients, made.amounts) = (new address[](4), new uint256[](4));
        if (flaw == 3) made.payer = STRANGER;
        if (flaw == 4) made.amounts[1] = 0;
        if (flaw == 5) made.recipients[0] = STRANGER;
        if (flaw == 6) (made.amounts[0], made.amounts[1]) = (type(uint256).max, PRICE + 1);
        if (flaw == 7) made.amounts[0] = NET - 1;
        if (flaw == 8) (made.amounts[0], made.amounts[1]) = (NET - 1, FEE + 1);
    }

    function releaseCall(IEscrow.Release memory made) private view returns (bytes memory data) {
        return abi.encodeCall(escrow.release, (made.terms, made.payer, made.recipients, made.amounts));
    }

    function tryBatch(IEscrow.Release[] memory items, uint256 gasLimit) private returns (bool success) {
        vm.prank(RESOLVER);
        (success, ) = address(escrow).call{gas: gasLimit}(abi.encodeCall(escrow.releaseBatch, (items)));
    }
}
