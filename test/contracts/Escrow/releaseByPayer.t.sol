// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract ReleaseByPayerTest is EscrowTest {
    function test_paysThePayeeLessTheFee() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        vm.expectEmit(address(escrow));
        emit IEscrow.Released(id, terms.order, payer, recipients, amounts, IEscrow.Cause.Payer);
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        assertState(id, IEscrow.HoldState.Released);
        assertClaimable(PAYEE, NET);
        assertClaimable(FEE_RECIPIENT, FEE);
        assertOwes(PRICE);
    }

    function test_roundsTheFeeDownAndLeavesZeroLegsOut(uint128 amount, uint16 feeBps) public {
        IEscrow.Terms memory terms = order();
        terms.amount = 1 + (amount % (1_000 * PRICE));
        terms.feeBps = feeBps % 1_001;
        bytes32 id = fund(terms);
        uint256 fee = (uint256(terms.amount) * terms.feeBps) / 10_000;
        uint256 net = terms.amount - fee;

        address[] memory recipients;
        uint256[] memory amounts;
        if (fee == 0) (recipients, amounts) = whole(PAYEE, net);
        else (recipients, amounts) = split(PAYEE, net, FEE_RECIPIENT, fee);
        vm.expectEmit(address(escrow));
        emit IEscrow.Released(id, terms.order, payer, recipients, amounts, IEscrow.Cause.Payer);
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        assertClaimable(PAYEE, net);
        assertClaimable(FEE_RECIPIENT, fee);
    }

    function test_endsTheCallersOwnHoldOnly() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        address[3] memory others = [PAYEE, RESOLVER, STRANGER];
        for (uint256 i = 0; i < others.length; ++i) {
            bytes32 theirs = escrow.holdId(terms, others[i]);
            expectWrongState(theirs, IEscrow.HoldState.None, IEscrow.HoldState.Held);
            vm.prank(others[i]);
            escrow.releaseByPayer(terms);
        }
        assertState(id, IEscrow.HoldState.Held);
    }

    function test_happensOnce() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        expectWrongState(id, IEscrow.HoldState.Released, IEscrow.HoldState.Held);
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        assertOwes(PRICE);
    }

    function test_goesOnDuringAPauseAndAfterExpiry() public {
        (IEscrow.Terms memory terms, ) = funded();
        vm.warp(terms.expiry + 1);
        vm.prank(PAUSER);
        escrow.pause();
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        assertClaimable(PAYEE, NET);
    }
}
