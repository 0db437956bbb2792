// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {IDeployedEscrow} from "../IDeployedEscrow.sol";
import {Vm} from "../Vm.sol";

/// @dev A token whose answers have nothing to do with each other. It calls the escrow back when it is told
/// to.
contract LiarToken {
    error Refused();

    uint256 private _answers;
    address private _callee;
    bytes private _call;

    function answer(uint256 answers, address callee, bytes calldata call) external {
        (_answers, _callee, _call) = (answers, callee, call);
    }

    function balanceOf(address) external view returns (uint256 amount) {
        return _answers % 3 == 0 ? 0 : 1e24;
    }

    function authorizationState(address, bytes32) external view returns (bool spent) {
        return _answers % 5 != 0;
    }

    function transferWithAuthorization(
        address,
        address,
        uint256,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        if (_answers % 7 == 0) revert Refused();
        callBack();
    }

    function receiveWithAuthorization(
        address,
        address,
        uint256,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        callBack();
    }

    function transfer(address, uint256) external returns (bool) {
        callBack();
        return _answers % 11 != 0;
    }

    function callBack() private {
        bool success;
        if (_callee != address(0)) (success, ) = _callee.call(_call);
    }
}

/// @dev Uses an escrow whose token lies, and counts what its events say became of each payment.
contract LiarWatcher is EscrowTest {
    uint256 private constant DEALS = 3;

    LiarToken private liar;
    IEscrow.Terms[] private deals;

    mapping(bytes32 id => uint256 times) private uses;
    mapping(bytes32 id => uint256 times) private ends;

    /// @dev The most often that one payment was held or returned, and one hold ended.
    uint256 public mostUses;
    uint256 public mostEnds;

    /// @dev All that was held, and all that was credited.
    uint256 public held;
    uint256 public credited;

    function setUp() public override {
        super.setUp();
        liar = new LiarToken();
        escrow = IDeployedEscrow(address(deployEscrow(address(liar), ADMIN, RESOLVER, PAUSER)));
        for (uint256 i = 0; i < DEALS; ++i) {
            IEscrow.Terms memory terms = order();
            terms.order = keccak256(abi.encode(i));
            (terms.fundBy, terms.expiry) = (uint48(timeNow() + 300 days), uint48(timeNow() + (301 + 30 * i) * 1 days));
            deals.push(terms);
        }
    }

    /// @dev From now the token answers so, and calls one function of the escrow back, or none.
    function lie(uint256 answers, uint256 what, uint256 seed) external {
        (, bytes memory call) = callOf(what, deals[seed % DEALS]);
        liar.answer(answers, what % 2 == 0 ? address(escrow) : address(0), call);
    }

    function act(uint256 what, uint256 seed) external {
        send(what, seed);
        if (what % 64 == 1) vm.warp(timeNow() + 40 days);
    }

    /// @dev A stray payment is announced, and adopted or returned when its delay has passed.
    function dealWithStray(uint256 seed, bool adopts) external {
        uint256 first = adopts ? 3 : 5;
        send(first * 64, seed);
        vm.warp(timeNow() + 4 days);
        send((first + 1) * 64, seed);
    }

    function send(uint256 what, uint256 seed) private {
        (address caller, bytes memory call) = callOf(what, deals[seed % DEALS]);
        vm.recordLogs();
        vm.prank(caller);
        (bool success, ) = address(escrow).call(call);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (success) for (uint256 i = 0; i < logs.length; ++i) count(logs[i]);
    }

    function count(Vm.Log memory log) private {
        bytes32 id = log.topics[1];
        if (log.topics[0] == IEscrow.Funded.selector) {
            (IEscrow.Terms memory terms, ) = abi.decode(log.data, (IEscrow.Terms, bool));
            held += terms.amount;
            ++uses[id];
        }
        if (log.topics[0] == IEscrow.StrayReturned.selector) {
            id = keccak256(abi.encode(log.topics[2], address(uint160(uint256(log.topics[1])))));
            ++uses[id];
        }
        if (log.topics[0] == IEscrow.Reclaimed.selector) {
            credited += abi.decode(log.data, (uint256));
            ++ends[id];
        }
        if (log.topics[0] == IEscrow.Released.selector) {
            (, uint256[] memory amounts, ) = abi.decode(log.data, (address[], uint256[], uint8));
            for (uint256 i = 0; i < amounts.length; ++i) credited += amounts[i];
            ++ends[id];
        }
        if (uses[id] > mostUses) mostUses = uses[id];
        if (ends[id] > mostEnds) mostEnds = ends[id];
    }

    function callOf(
        uint256 what,
        IEscrow.Terms memory terms
    ) private view returns (address caller, bytes memory call) {
        bytes32 nonce = escrow.termsHash(terms);
        (address[] memory to, uint256[] memory amounts) = whole(payer, terms.amount);
        uint256 place = (what / 64) % 11;
        if (place < 2) return (STRANGER, abi.encodeCall(escrow.fund, (terms, payer, 0, terms.fundBy, "")));
        if (place == 2) return (STRANGER, abi.encodeCall(escrow.fundWithReceive, (terms, payer, 0, 0, "")));
        if (place == 3) return (RESOLVER, abi.encodeCall(escrow.announceAdopt, (terms, payer)));
        if (place == 4) return (RESOLVER, abi.encodeCall(escrow.adopt, (terms, payer)));
        if (place == 5) return (RESOLVER, abi.encodeCall(escrow.announceReturnStray, (payer, nonce, terms.amount)));
        if (place == 6) return (RESOLVER, abi.encodeCall(escrow.returnStray, (payer, nonce, terms.amount)));
        if (place == 7) return (RESOLVER, abi.encodeCall(escrow.release, (terms, payer, to, amounts)));
        if (place == 8) return (payer, abi.encodeCall(escrow.releaseByPayer, (terms)));
        if (place == 9) return (payer, abi.encodeCall(escrow.reclaim, (terms)));
        return (STRANGER, abi.encodeCall(escrow.withdrawFor, (payer)));
    }
}
