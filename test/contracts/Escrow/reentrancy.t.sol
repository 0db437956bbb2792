// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev A payment token that calls the escrow back while it moves money: what USDC would be if it were upgraded badly.
contract CallbackToken is ERC20("Callback", "CALL") {
    bytes public callback;
    bytes public answer;

    function setCallback(bytes calldata data) external {
        callback = data;
    }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        _mint(from, value);
        _transfer(from, to, value);
        _callBack(to);
    }

    function authorizationState(address, bytes32) external pure returns (bool) {
        return true;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        _callBack(msg.sender);
        return super.transfer(to, value);
    }

    function _callBack(address escrow) private {
        if (callback.length == 0) return;
        bytes memory data = callback;
        callback = "";
        (, answer) = escrow.call(data);
    }
}

contract ReentrancyTest is EscrowTest {
    CallbackToken private token;

    function setUp() public override {
        super.setUp();
        token = new CallbackToken();
        // Every power is the token's, so that the guard alone stands in its way.
        escrow = deployEscrow(address(token), address(token), address(token), address(token));
    }

    function test_noEntryWhileFunding() public {
        IEscrow.Terms memory first = order();
        pay(first);
        IEscrow.Terms memory second = order();
        second.order = keccak256("market:order:2");
        bytes[] memory calls = entries(first);
        for (uint256 i = 0; i < calls.length; ++i) {
            second.order = keccak256(abi.encode(i));
            token.setCallback(calls[i]);
            pay(second);
            expectGuarded(token);
        }
        assertState(escrow.holdId(first, payer), IEscrow.HoldState.Held);
    }

    function test_noEntryWhileWithdrawing() public {
        IEscrow.Terms memory first = order();
        pay(first);
        IEscrow.Terms memory second = order();
        bytes[] memory calls = entries(first);
        for (uint256 i = 0; i < calls.length; ++i) {
            second.order = keccak256(abi.encode(i));
            pay(second);
            vm.prank(payer);
            escrow.releaseByPayer(second);
            token.setCallback(calls[i]);
            vm.prank(PAYEE);
            escrow.withdraw();
            expectGuarded(token);
        }
        assertState(escrow.holdId(first, payer), IEscrow.HoldState.Held);
        vm.assertEq(escrow.totalOwed(), PRICE + calls.length * FEE, "total owed");
    }

    function test_noEntryWhileRescuing() public {
        IEscrow.Terms memory terms = order();
        pay(terms);
        bytes[] memory calls = entries(terms);
        for (uint256 i = 0; i < calls.length; ++i) {
            CallbackToken other = new CallbackToken();
            other.mint(address(escrow), 1);
            other.setCallback(calls[i]);
            vm.prank(address(token));
            escrow.rescueOther(other, STRANGER, 1);
            expectGuarded(other);

            token.mint(address(escrow), 1);
            vm.prank(address(token));
            escrow.announceRescue(STRANGER, 1);
            vm.warp(timeNow() + 30 days);
            token.setCallback(calls[i]);
            vm.prank(address(token));
            escrow.rescue();
            expectGuarded(token);
        }
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
    }

    /// @dev A call to each function that touches money, as the token would make it.
    function entries(IEscrow.Terms memory terms) private view returns (bytes[] memory calls) {
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        calls = new bytes[](11);
        calls[0] = abi.encodeCall(escrow.fund, (terms, payer, 0, terms.fundBy, ""));
        calls[1] = abi.encodeCall(escrow.fundWithReceive, (terms, payer, 0, terms.fundBy, ""));
        calls[2] = abi.encodeCall(escrow.adopt, (terms, payer));
        calls[3] = abi.encodeCall(escrow.release, (terms, payer, recipients, amounts));
        calls[4] = abi.encodeCall(escrow.releaseByPayer, (terms));
        calls[5] = abi.encodeCall(escrow.refundByPayee, (terms, payer));
        calls[6] = abi.encodeCall(escrow.reclaim, (terms));
        calls[7] = abi.encodeCall(escrow.withdraw, ());
        calls[8] = abi.encodeCall(escrow.withdrawTo, (STRANGER));
        calls[9] = abi.encodeCall(escrow.withdrawFor, (FEE_RECIPIENT));
        calls[10] = abi.encodeCall(escrow.returnStray, (payer, bytes32(0), 1));
    }

    function pay(IEscrow.Terms memory terms) private {
        escrow.fund(terms, payer, 0, terms.fundBy, "");
    }

    function expectGuarded(CallbackToken called) private view {
        bytes4 reason = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
        vm.assertEq(bytes32(bytes4(called.answer())), bytes32(reason), "answer to the call back");
    }
}
