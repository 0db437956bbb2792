// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../contracts/interfaces/IEscrow.sol";
import {IDeployedEscrow} from "./IDeployedEscrow.sol";
import {UsdcTest} from "./UsdcTest.sol";

/// @dev An escrow over real USDC, its people, and one order at 20 with a fee of 5%.
abstract contract EscrowTest is UsdcTest {
    uint256 internal constant PAYER_KEY = 0xB0B;
    uint128 internal constant PRICE = 20_000_000;
    uint128 internal constant FEE = 1_000_000;
    uint128 internal constant NET = 19_000_000;

    address internal constant ADMIN = address(0xA1);
    address internal constant RESOLVER = address(0xA2);
    address internal constant PAUSER = address(0xA3);
    address internal constant FEE_RECIPIENT = address(0xA4);
    address internal constant PAYEE = address(0xA5);
    address internal constant STRANGER = address(0xA6);

    IDeployedEscrow internal escrow;
    address internal payer;

    function setUp() public virtual override {
        super.setUp();
        vm.warp(1_800_000_000);
        escrow = deployEscrow(address(usdc), ADMIN, RESOLVER, PAUSER);
        payer = vm.addr(PAYER_KEY);
        usdc.mint(payer, 1_000 * PRICE);
        vm.label(address(escrow), "Escrow");
        vm.label(payer, "payer");
    }

    /// @dev What `hardhat build` made, and a deployment would use.
    function deployEscrow(
        address token,
        address admin,
        address resolver,
        address pauser
    ) internal returns (IDeployedEscrow deployed) {
        bytes memory code = vm.getCode("contracts/Escrow.sol:Escrow");
        return IDeployedEscrow(create(bytes.concat(code, abi.encode(token, admin, resolver, pauser))));
    }

    function order() internal view returns (IEscrow.Terms memory terms) {
        return IEscrow.Terms({
            order: keccak256("market:order:1"),
            payee: PAYEE,
            amount: PRICE,
            feeRecipient: FEE_RECIPIENT,
            feeBps: 500,
            fundBy: uint48(timeNow() + 1 hours),
            expiry: uint48(timeNow() + 180 days)
        });
    }

    /// @dev The signature a payer gives for these terms.
    function signed(IEscrow.Terms memory terms, uint256 key) internal view returns (bytes memory signature) {
        return signTransfer(key, address(escrow), terms.amount, terms.fundBy, escrow.termsHash(terms));
    }

    function fund(IEscrow.Terms memory terms) internal returns (bytes32 id) {
        return fund(terms, PAYER_KEY);
    }

    function fund(IEscrow.Terms memory terms, uint256 key) internal returns (bytes32 id) {
        escrow.fund(terms, vm.addr(key), 0, terms.fundBy, signed(terms, key));
        return escrow.holdId(terms, vm.addr(key));
    }

    /// @dev The order, funded.
    function funded() internal returns (IEscrow.Terms memory terms, bytes32 id) {
        terms = order();
        id = fund(terms);
    }

    function release(IEscrow.Terms memory terms, address[] memory recipients, uint256[] memory amounts) internal {
        vm.prank(RESOLVER);
        escrow.release(terms, payer, recipients, amounts);
    }

    function announceAdopt(IEscrow.Terms memory terms, address from) internal {
        vm.prank(RESOLVER);
        escrow.announceAdopt(terms, from);
    }

    function adopt(IEscrow.Terms memory terms, address from) internal {
        vm.prank(RESOLVER);
        escrow.adopt(terms, from);
    }

    function announceReturnStray(address from, bytes32 nonce, uint256 amount) internal {
        vm.prank(RESOLVER);
        escrow.announceReturnStray(from, nonce, amount);
    }

    function returnStray(address from, bytes32 nonce, uint256 amount) internal {
        vm.prank(RESOLVER);
        escrow.returnStray(from, nonce, amount);
    }

    function passStrayDelay() internal {
        vm.warp(timeNow() + 4 days);
    }

    /// @dev An order whose payment a stranger took to the token.
    function paidDirectly() internal returns (IEscrow.Terms memory terms) {
        terms = order();
        submitDirectly(PAYER_KEY, address(escrow), PRICE, escrow.termsHash(terms));
    }

    /// @dev The seller's net and the service's fee.
    function acceptedSplit() internal pure returns (address[] memory recipients, uint256[] memory amounts) {
        return split(PAYEE, NET, FEE_RECIPIENT, FEE);
    }

    function split(
        address first,
        uint256 firstAmount,
        address second,
        uint256 secondAmount
    ) internal pure returns (address[] memory recipients, uint256[] memory amounts) {
        recipients = new address[](2);
        amounts = new uint256[](2);
        (recipients[0], amounts[0]) = (first, firstAmount);
        (recipients[1], amounts[1]) = (second, secondAmount);
    }

    function whole(
        address recipient,
        uint256 amount
    ) internal pure returns (address[] memory recipients, uint256[] memory amounts) {
        recipients = new address[](1);
        amounts = new uint256[](1);
        (recipients[0], amounts[0]) = (recipient, amount);
    }

    function assertState(bytes32 id, IEscrow.HoldState expected) internal view {
        vm.assertEq(uint256(escrow.stateOf(id)), uint256(expected), "state of the hold");
    }

    function assertClaimable(address account, uint256 expected) internal view {
        vm.assertEq(escrow.claimable(account), expected, "claimable");
    }

    /// @dev Nobody's money was touched: the escrow owes what it owed, and holds it.
    function assertOwes(uint256 expected) internal view {
        vm.assertEq(escrow.totalOwed(), expected, "total owed");
        vm.assertGe(usdc.balanceOf(address(escrow)), expected, "balance covers what is owed");
    }

    function expectWrongState(bytes32 id, IEscrow.HoldState actual, IEscrow.HoldState expected) internal {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.WrongState.selector, id, actual, expected));
    }
}
