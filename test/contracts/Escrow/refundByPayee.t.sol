// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract RefundByPayeeTest is EscrowTest {
    function test_paysThePayerTheWhole() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        (address[] memory recipients, uint256[] memory amounts) = whole(payer, PRICE);
        vm.expectEmit(address(escrow));
        emit IEscrow.Released(id, terms.order, payer, recipients, amounts, IEscrow.Cause.Payee);
        vm.prank(PAYEE);
        escrow.refundByPayee(terms, payer);
        assertState(id, IEscrow.HoldState.Released);
        assertClaimable(payer, PRICE);
        assertClaimable(PAYEE, 0);
        assertOwes(PRICE);
    }

    function test_addsToThePayersCredit() public {
        (IEscrow.Terms memory first, ) = funded();
        IEscrow.Terms memory second = order();
        second.order = keccak256("another order");
        fund(second);
        vm.startPrank(PAYEE);
        escrow.refundByPayee(first, payer);
        escrow.refundByPayee(second, payer);
        vm.stopPrank();
        assertClaimable(payer, 2 * PRICE);
        assertOwes(2 * PRICE);
    }

    function test_onlyThePayeeMay() public {
        (IEscrow.Terms memory terms, ) = funded();
        address[4] memory others = [payer, RESOLVER, FEE_RECIPIENT, STRANGER];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IEscrow.NotPayee.selector, others[i], PAYEE));
            vm.prank(others[i]);
            escrow.refundByPayee(terms, payer);
        }
    }

    function test_aPayeeOfOtherTermsMayNot() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        terms.payee = STRANGER;
        expectWrongState(escrow.holdId(terms, payer), IEscrow.HoldState.None, IEscrow.HoldState.Held);
        vm.prank(STRANGER);
        escrow.refundByPayee(terms, payer);
        assertState(id, IEscrow.HoldState.Held);
    }

    function test_happensOnce() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        vm.prank(PAYEE);
        escrow.refundByPayee(terms, payer);
        expectWrongState(id, IEscrow.HoldState.Released, IEscrow.HoldState.Held);
        vm.prank(PAYEE);
        escrow.refundByPayee(terms, payer);
    }

    function test_goesOnDuringAPause() public {
        (IEscrow.Terms memory terms, ) = funded();
        vm.prank(PAUSER);
        escrow.pause();
        vm.prank(PAYEE);
        escrow.refundByPayee(terms, payer);
        assertClaimable(payer, PRICE);
    }
}
