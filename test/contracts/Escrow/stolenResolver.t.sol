// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev What a thief of the resolver's key can do with a payment that a stranger has signed and nobody has
/// submitted yet: submit it to the token, and take the surplus by an authorization of the thief's own.
contract StolenResolverTest is EscrowTest {
    uint256 private constant THIEF_KEY = 0xBAD;
    bytes32 private constant THIEFS_NONCE = keccak256("a nonce that the thief cancelled");
    address private constant NEXT = address(0xB1);

    address private thief;

    function setUp() public override {
        super.setUp();
        thief = vm.addr(THIEF_KEY);
    }

    function test_cannotReturnAStrangersPaymentToTheThief() public {
        paymentTakenToTheToken();
        cancel(THIEF_KEY, THIEFS_NONCE);
        expectRefused(returnCall());
        announceReturnStray(thief, THIEFS_NONCE, PRICE);
        expectRefused(returnCall());
        replaceResolver();
        passStrayDelay();
        expectRefused(returnCall());
        vm.assertEq(usdc.balanceOf(thief), 0, "the thief's tokens");
    }

    function test_cannotAdoptAStrangersPaymentForTheThief() public {
        paymentTakenToTheToken();
        IEscrow.Terms memory terms = order();
        terms.payee = STRANGER;
        cancel(THIEF_KEY, escrow.termsHash(terms));
        bytes memory adoption = abi.encodeCall(escrow.adopt, (terms, thief));
        expectRefused(adoption);
        announceAdopt(terms, thief);
        expectRefused(adoption);
        replaceResolver();
        passStrayDelay();
        expectRefused(adoption);
        assertOwes(0);
    }

    /// @dev The pauser needs no two days, and the one who is robbed is adopted or refunded by the next
    /// resolver.
    function test_losesToThePauserAndTheNextResolver() public {
        IEscrow.Terms memory terms = paymentTakenToTheToken();
        cancel(THIEF_KEY, THIEFS_NONCE);
        announceReturnStray(thief, THIEFS_NONCE, PRICE);
        vm.prank(PAUSER);
        escrow.cancelStray(thief, THIEFS_NONCE);
        passStrayDelay();
        expectRefused(returnCall());
        replaceResolver();
        vm.prank(NEXT);
        escrow.announceAdopt(terms, payer);
        passStrayDelay();
        vm.prank(NEXT);
        escrow.adopt(terms, payer);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
        assertOwes(PRICE);
    }

    /// @dev What our SDK signs: nobody but the escrow can submit it, so that it never becomes a surplus.
    function test_cannotTakeAPaymentSignedForTheEscrowAloneToTheToken() public {
        IEscrow.Terms memory terms = order();
        bytes32 nonce = escrow.termsHash(terms);
        bytes memory signature = signReceive(PAYER_KEY, address(escrow), PRICE, terms.fundBy, nonce);
        vm.prank(thief);
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        usdc.receiveWithAuthorization(payer, address(escrow), PRICE, 0, terms.fundBy, nonce, signature);
        escrow.fundWithReceive(terms, payer, 0, terms.fundBy, signature);
        vm.assertEq(escrow.surplus(), 0, "surplus");
    }

    /// @dev The thief submits the payer's `TransferWithAuthorization` to the token, ahead of `fund`.
    function paymentTakenToTheToken() private returns (IEscrow.Terms memory terms) {
        terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        bytes32 nonce = escrow.termsHash(terms);
        vm.prank(thief);
        usdc.transferWithAuthorization(payer, address(escrow), PRICE, 0, terms.fundBy, nonce, signature);
    }

    function returnCall() private view returns (bytes memory data) {
        return abi.encodeCall(escrow.returnStray, (thief, THIEFS_NONCE, PRICE));
    }

    function expectRefused(bytes memory data) private {
        vm.prank(RESOLVER);
        (bool success, ) = address(escrow).call(data);
        vm.assertFalse(success, "carried out for the thief");
    }

    function replaceResolver() private {
        vm.prank(ADMIN);
        escrow.setResolver(NEXT);
        vm.warp(timeNow() + 2 days);
    }
}
