// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev A payment token that calls the escrow back while it works: what USDC would be if it were upgraded
/// badly.
contract CallbackToken is ERC20("Callback", "CALL") {
    bytes public callback;
    bytes public answer;
    bool public entered;
    bool private _fromViews;

    function setCallback(bytes calldata data, bool fromViews) external {
        (callback, answer, entered, _fromViews) = (data, "", false, fromViews);
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
        _pay(from, to, value);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        _pay(from, to, value);
    }

    function authorizationState(address, bytes32) external view returns (bool) {
        _callBackFromView();
        return true;
    }

    function balanceOf(address account) public view override returns (uint256) {
        _callBackFromView();
        return super.balanceOf(account);
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        _callBack(msg.sender);
        return super.transfer(to, value);
    }

    function _pay(address from, address to, uint256 value) private {
        _mint(from, value);
        _transfer(from, to, value);
        _callBack(to);
    }

    function _callBack(address escrow) private {
        if (callback.length == 0 || _fromViews) return;
        bytes memory data = callback;
        callback = "";
        (entered, answer) = escrow.call(data);
    }

    /// @dev The escrow asks by STATICCALL, in which nothing can change: a call back that succeeds would be a
    /// way round.
    function _callBackFromView() private view {
        if (callback.length == 0 || !_fromViews) return;
        (bool success, ) = msg.sender.staticcall{gas: 100_000}(callback);
        require(!success, "a view let the token in");
    }
}

/// @dev Every function of the escrow that calls the token, and into each of them every function that touches
/// money.
contract ReentrancyTest is EscrowTest {
    uint256 private constant MOMENTS = 8;

    CallbackToken private token;
    IEscrow.Terms private target;
    uint256 private orders;

    function setUp() public override {
        super.setUp();
        token = new CallbackToken();
        // Every power is the token's, so that the guard alone stands in its way.
        escrow = deployEscrow(address(token), address(token), address(token), address(token));
        target = order();
        escrow.fund(target, payer, 0, target.fundBy, "");
    }

    function test_noEntryWhileTheTokenIsCalled() public {
        bytes[] memory calls = guarded();
        for (uint256 moment = 0; moment < MOMENTS; ++moment) {
            for (uint256 i = 0; i < calls.length; ++i) {
                bytes4 answer = bytes4(enter(moment, calls[i]).answer());
                bytes4 expected = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
                vm.assertEq(bytes32(answer), bytes32(expected), "answer to the call back");
            }
        }
        expectTargetUntouched();
    }

    /// @dev What surplus() overstates while money is on its way out must not be announced away for good.
    function test_whatIsAnnouncedMeanwhileIsLookedAtAgain() public {
        prepareCredit();
        bytes memory announce = abi.encodeCall(escrow.announceRescue, (STRANGER, NET));
        token.setCallback(announce, false);
        escrow.withdrawFor(PAYEE);
        vm.assertTrue(token.entered(), "announced");
        vm.warp(timeNow() + 30 days);
        vm.prank(address(token));
        (bool success, ) = address(escrow).call(abi.encodeCall(escrow.rescue, ()));
        vm.assertFalse(success, "rescue of what is not there");
        expectTargetUntouched();
    }

    function test_noEntryFromAView() public {
        bytes[] memory calls = guarded();
        for (uint256 i = 0; i < calls.length; ++i) {
            IEscrow.Terms memory terms = next();
            token.setCallback("", false);
            token.mint(address(escrow), PRICE + 2);
            token.setCallback(calls[i], true);
            vm.startPrank(address(token));
            escrow.announceAdopt(terms, payer);
            escrow.announceReturnStray(payer, keccak256(abi.encode(i)), 1);
            passStrayDelay();
            escrow.adopt(terms, payer);
            escrow.returnStray(payer, keccak256(abi.encode(i)), 1);
            escrow.announceRescue(STRANGER, 1);
            escrow.cancelRescue();
            vm.stopPrank();
        }
        token.setCallback("", false);
        expectTargetUntouched();
    }

    /// @dev Has the token make `call` in the middle of one function that calls it, and answers that token.
    function enter(uint256 moment, bytes memory call) private returns (CallbackToken called) {
        IEscrow.Terms memory terms = next();
        bytes32 nonce = keccak256(abi.encode(orders));
        if (moment >= 2 && moment <= 4) prepareCredit();
        if (moment == 5 || moment == 6) token.mint(address(escrow), 1);
        if (moment == 5) {
            vm.prank(address(token));
            escrow.announceReturnStray(payer, nonce, 1);
            passStrayDelay();
        }
        if (moment == 6) {
            vm.prank(address(token));
            escrow.announceRescue(STRANGER, 1);
            vm.warp(timeNow() + 30 days);
        }
        called = token;
        if (moment == 7) {
            called = new CallbackToken();
            called.mint(address(escrow), 1);
        }
        called.setCallback(call, false);
        if (moment == 0) escrow.fund(terms, payer, 0, terms.fundBy, "");
        if (moment == 1) escrow.fundWithReceive(terms, payer, 0, terms.fundBy, "");
        vm.startPrank(moment == 2 || moment == 3 ? PAYEE : address(token));
        if (moment == 2) escrow.withdraw();
        if (moment == 3) escrow.withdrawTo(STRANGER);
        if (moment == 4) escrow.withdrawFor(PAYEE);
        if (moment == 5) escrow.returnStray(payer, nonce, 1);
        if (moment == 6) escrow.rescue();
        if (moment == 7) escrow.rescueOther(called, STRANGER, 1);
        vm.stopPrank();
        vm.assertTrue(called.callback().length == 0, "the token called back");
    }

    /// @dev A call to each guarded function, as the token would make it.
    function guarded() private view returns (bytes[] memory calls) {
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        calls = new bytes[](15);
        calls[0] = abi.encodeCall(escrow.fund, (target, payer, 0, target.fundBy, ""));
        calls[1] = abi.encodeCall(escrow.fundWithReceive, (target, payer, 0, target.fundBy, ""));
        calls[2] = abi.encodeCall(escrow.adopt, (target, payer));
        calls[3] = abi.encodeCall(escrow.release, (target, payer, recipients, amounts));
        calls[4] = abi.encodeCall(escrow.releaseByPayer, (target));
        calls[5] = abi.encodeCall(escrow.refundByPayee, (target, payer));
        calls[6] = abi.encodeCall(escrow.reclaim, (target));
        calls[7] = abi.encodeCall(escrow.withdraw, ());
        calls[8] = abi.encodeCall(escrow.withdrawTo, (STRANGER));
        calls[9] = abi.encodeCall(escrow.withdrawFor, (FEE_RECIPIENT));
        calls[10] = abi.encodeCall(escrow.returnStray, (payer, bytes32(0), 1));
        calls[11] = abi.encodeCall(escrow.rescue, ());
        calls[12] = abi.encodeCall(escrow.rescueOther, (token, STRANGER, 1));
        calls[13] = abi.encodeCall(escrow.announceAdopt, (target, payer));
        calls[14] = abi.encodeCall(escrow.announceReturnStray, (payer, bytes32(0), 1));
    }

    /// @dev Gives the payee and the fee recipient credit.
    function prepareCredit() private {
        IEscrow.Terms memory terms = next();
        token.setCallback("", false);
        escrow.fund(terms, payer, 0, terms.fundBy, "");
        vm.prank(payer);
        escrow.releaseByPayer(terms);
    }

    function next() private returns (IEscrow.Terms memory terms) {
        terms = order();
        terms.order = keccak256(abi.encode(++orders));
    }

    function expectTargetUntouched() private view {
        assertState(escrow.holdId(target, payer), IEscrow.HoldState.Held);
        vm.assertGe(token.balanceOf(address(escrow)), escrow.totalOwed(), "balance covers what is owed");
    }
}
