// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract ReclaimTest is EscrowTest {
    function test_afterExpiryThePayerHasTheWholeBack() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        uint256 before = usdc.balanceOf(payer);
        vm.warp(terms.expiry + 1);
        vm.expectEmit(address(escrow));
        emit IEscrow.Reclaimed(id, terms.order, payer, PRICE);
        vm.prank(payer);
        escrow.reclaim(terms);
        assertState(id, IEscrow.HoldState.Reclaimed);
        assertClaimable(payer, PRICE);

        vm.prank(payer);
        escrow.withdraw();
        vm.assertEq(usdc.balanceOf(payer), before + PRICE, "the payer's tokens");
        assertOwes(0);
    }

    function test_notBefore() public {
        (IEscrow.Terms memory terms, ) = funded();
        vm.warp(terms.expiry);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.HoldNotExpired.selector, terms.expiry));
        vm.prank(payer);
        escrow.reclaim(terms);
    }

    function test_onlyThePayerMay() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        vm.warp(terms.expiry + 1);
        address[4] memory others = [PAYEE, RESOLVER, ADMIN, STRANGER];
        for (uint256 i = 0; i < others.length; ++i) {
            bytes32 theirs = escrow.holdId(terms, others[i]);
            expectWrongState(theirs, IEscrow.HoldState.None, IEscrow.HoldState.Held);
            vm.prank(others[i]);
            escrow.reclaim(terms);
        }
        assertState(id, IEscrow.HoldState.Held);
    }

    function test_notWhatWasReleased() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
        vm.warp(terms.expiry + 1);
        expectWrongState(id, IEscrow.HoldState.Released, IEscrow.HoldState.Held);
        vm.prank(payer);
        escrow.reclaim(terms);
    }

    function test_whateverTheServiceAndTheTokenDo() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        vm.warp(terms.expiry + 1);
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.HoldExpired.selector, terms.expiry));
        release(terms, recipients, amounts);
        vm.prank(PAUSER);
        escrow.pause();
        usdc.pause();
        usdc.blacklist(payer);

        vm.prank(payer);
        escrow.reclaim(terms);
        assertState(id, IEscrow.HoldState.Reclaimed);

        usdc.unpause();
        vm.prank(payer);
        escrow.withdrawTo(STRANGER);
        vm.assertEq(usdc.balanceOf(STRANGER), PRICE, "the payer's choice has it");
    }
}
