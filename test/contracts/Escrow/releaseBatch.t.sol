// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

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

    function test_refusesATransactionTooPoorForItsItems() public {
        IEscrow.Release[] memory items = batch();
        uint256 gasLimit = escrow.RELEASE_ITEM_GAS();
        vm.prank(RESOLVER);
        try escrow.releaseBatch{gas: gasLimit}(items) {
            vm.assertTrue(false, "must revert");
        } catch (bytes memory reason) {
            vm.assertEq(bytes32(bytes4(reason)), bytes32(IEscrow.InsufficientBatchGas.selector), "reason");
        }
        assertClaimable(PAYEE, 0);
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
        for (uint256 i = 0; i < items.length; ++i) {
            IEscrow.Terms memory terms = order();
            terms.order = keccak256(abi.encode("order", i));
            fund(terms);
            (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
            items[i] = IEscrow.Release({terms: terms, payer: payer, recipients: recipients, amounts: amounts});
        }
    }
}
