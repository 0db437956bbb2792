// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract FundWithReceiveTest is EscrowTest {
    function test_holdsThePayment() public {
        IEscrow.Terms memory terms = order();
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, signedToReceive(terms));
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
        assertOwes(PRICE);
    }

    function test_nobodyCanRunAheadWithTheSignature() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signedToReceive(terms);
        bytes32 nonce = escrow.termsHash(terms);
        vm.prank(STRANGER);
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        usdc.receiveWithAuthorization(payer, address(escrow), PRICE, 0, terms.fundBy, nonce, signature);
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, signature);
        assertOwes(PRICE);
    }

    function test_theTwoKindsOfSignatureAreNotInterchangeable() public {
        IEscrow.Terms memory terms = order();
        bytes memory toReceive = signedToReceive(terms);
        bytes memory toTransfer = signed(terms, PAYER_KEY);
        vm.expectRevert("FiatTokenV2: invalid signature");
        escrow.fund(terms, payer, 0, terms.fundBy, toReceive);
        vm.expectRevert("FiatTokenV2: invalid signature");
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, toTransfer);
    }

    function test_refusesWhatFundRefuses() public {
        IEscrow.Terms memory terms = order();
        terms.payee = address(0);
        bytes memory signature = signedToReceive(terms);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidPayee.selector, address(0)));
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, signature);

        terms = order();
        signature = signedToReceive(terms);
        vm.warp(terms.fundBy + 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.FundingClosed.selector, terms.fundBy));
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, signature);
    }

    function test_isStoppedByAPause() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signedToReceive(terms);
        vm.prank(PAUSER);
        escrow.pause();
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.EscrowPaused.selector, escrow.pausedUntil()));
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, signature);
    }

    function signedToReceive(IEscrow.Terms memory terms) private view returns (bytes memory signature) {
        return signReceive(PAYER_KEY, address(escrow), terms.amount, terms.fundBy, escrow.termsHash(terms));
    }
}
