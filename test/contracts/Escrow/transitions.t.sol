// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev Every state of a hold, and what every function makes of it: the whole life of a hold in one table.
contract TransitionsTest is EscrowTest {
    /// @dev Where a hold can stand. A payment can be spent without a hold, and a hold can be past its expiry.
    enum Stand {
        Unpaid,
        Paid,
        Held,
        Expired,
        Released,
        Reclaimed,
        Returned
    }

    uint256 private constant FUNCTIONS = 9;
    uint256 private constant ADOPT = 2;
    uint256 private constant RELEASE = 3;
    uint256 private constant RELEASE_BY_PAYER = 5;
    uint256 private constant REFUND_BY_PAYEE = 6;
    uint256 private constant RECLAIM = 7;
    uint256 private constant RETURN_STRAY = 8;
    bytes private constant NEXT = "?HRCB";

    uint256 private orders;

    /// @dev A column is a function: fund, fundWithReceive, adopt, release to the payee, release to the payer,
    /// releaseByPayer, refundByPayee, reclaim, returnStray. A letter is the state it leads to: Held,
    /// Released, reClaimed, given Back. A dash is a refusal that changes nothing. What has to be announced
    /// was announced long before, where that is possible.
    function expected(Stand stand) private pure returns (bytes memory row) {
        if (stand == Stand.Unpaid) return "HH-------";
        if (stand == Stand.Paid) return "--H-----B";
        if (stand == Stand.Held) return "---RRRR--";
        if (stand == Stand.Expired) return "----RRRC-";
        return "---------";
    }

    function test_everyFunctionInEveryState() public {
        for (uint256 stand = 0; stand <= uint256(type(Stand).max); ++stand) {
            bytes memory row = expected(Stand(stand));
            for (uint256 i = 0; i < FUNCTIONS; ++i) expectTransition(Stand(stand), i, row[i]);
        }
    }

    /// @dev Once ended, nothing but the state stands in the way, and it does: money and time are there for
    /// anything.
    function test_whatEndedIsRefusedForItsState() public {
        IEscrow.HoldState[3] memory ended = [
            IEscrow.HoldState.Released,
            IEscrow.HoldState.Reclaimed,
            IEscrow.HoldState.Returned
        ];
        for (uint256 i = 0; i < ended.length; ++i) {
            for (uint256 action = 0; action < FUNCTIONS; ++action) {
                IEscrow.Terms memory terms = prepare(Stand(i + uint256(Stand.Released)));
                if (action == RECLAIM) vm.warp(terms.expiry + 1);
                bool announced = action == ADOPT || action == RETURN_STRAY;
                bytes memory data = announced ? announcement(terms, action) : call(terms, action);
                vm.prank(caller(action));
                (, bytes memory reason) = address(escrow).call(data);
                bool opens = action <= ADOPT || action == RETURN_STRAY;
                bytes memory expectedReason = abi.encodeWithSelector(
                    IEscrow.WrongState.selector,
                    escrow.holdId(terms, payer),
                    ended[i],
                    opens ? IEscrow.HoldState.None : IEscrow.HoldState.Held
                );
                vm.assertEq(keccak256(reason), keccak256(expectedReason), "reason");
            }
        }
    }

    function expectTransition(Stand stand, uint256 action, bytes1 letter) private {
        IEscrow.Terms memory terms = prepare(stand);
        bytes32 id = escrow.holdId(terms, payer);
        uint256 owed = escrow.totalOwed();
        uint256 balance = usdc.balanceOf(address(escrow));
        IEscrow.HoldState before = escrow.stateOf(id);
        if (action == ADOPT || action == RETURN_STRAY) announce(terms, action);
        act(terms, action);
        if (letter != "-") {
            vm.assertEq(bytes32(NEXT[uint256(escrow.stateOf(id))]), bytes32(letter), name(stand, action));
            return;
        }
        vm.assertEq(uint256(escrow.stateOf(id)), uint256(before), name(stand, action));
        vm.assertEq(escrow.totalOwed(), owed, name(stand, action));
        vm.assertEq(usdc.balanceOf(address(escrow)), balance, name(stand, action));
    }

    /// @dev A new order that stands there, with enough unowed money beside it for a function that looks for
    /// some.
    function prepare(Stand stand) private returns (IEscrow.Terms memory terms) {
        vm.warp(1_800_000_000);
        terms = order();
        terms.order = keccak256(abi.encode(++orders));
        usdc.mint(address(escrow), 2 * PRICE);
        bytes32 nonce = escrow.termsHash(terms);
        if (stand == Stand.Paid || stand == Stand.Returned) submitDirectly(PAYER_KEY, address(escrow), PRICE, nonce);
        else if (stand != Stand.Unpaid) fund(terms);
        if (stand == Stand.Expired) vm.warp(terms.expiry + 1);
        if (stand == Stand.Released) succeed(terms, RELEASE);
        if (stand == Stand.Reclaimed) {
            vm.warp(terms.expiry + 1);
            succeed(terms, RECLAIM);
            vm.warp(1_800_000_000);
        }
        if (stand == Stand.Returned) {
            announce(terms, RETURN_STRAY);
            succeed(terms, RETURN_STRAY);
            vm.warp(1_800_000_000);
        }
    }

    /// @dev Announces it, where that is possible, and lets the delay pass.
    function announce(IEscrow.Terms memory terms, uint256 action) private {
        bytes memory data = announcement(terms, action);
        vm.prank(RESOLVER);
        (bool success, ) = address(escrow).call(data);
        if (success) passStrayDelay();
    }

    function announcement(IEscrow.Terms memory terms, uint256 action) private view returns (bytes memory data) {
        if (action == ADOPT) return abi.encodeCall(escrow.announceAdopt, (terms, payer));
        return abi.encodeCall(escrow.announceReturnStray, (payer, escrow.termsHash(terms), PRICE));
    }

    function succeed(IEscrow.Terms memory terms, uint256 action) private {
        (bool success, ) = act(terms, action);
        vm.assertTrue(success, "preparation");
    }

    function act(IEscrow.Terms memory terms, uint256 action) private returns (bool success, bytes memory reason) {
        bytes memory data = call(terms, action);
        vm.prank(caller(action));
        return address(escrow).call(data);
    }

    function caller(uint256 action) private view returns (address account) {
        if (action < ADOPT) return STRANGER;
        if (action == RELEASE_BY_PAYER || action == RECLAIM) return payer;
        return action == REFUND_BY_PAYEE ? PAYEE : RESOLVER;
    }

    function call(IEscrow.Terms memory terms, uint256 action) private view returns (bytes memory data) {
        if (action < ADOPT) return funding(terms, action);
        if (action == ADOPT) return abi.encodeCall(escrow.adopt, (terms, payer));
        if (action == RELEASE_BY_PAYER) return abi.encodeCall(escrow.releaseByPayer, (terms));
        if (action == REFUND_BY_PAYEE) return abi.encodeCall(escrow.refundByPayee, (terms, payer));
        if (action == RECLAIM) return abi.encodeCall(escrow.reclaim, (terms));
        if (action == RETURN_STRAY) return abi.encodeCall(escrow.returnStray, (payer, escrow.termsHash(terms), PRICE));
        (address[] memory recipients, uint256[] memory amounts) = action == RELEASE
            ? acceptedSplit()
            : whole(payer, PRICE);
        return abi.encodeCall(escrow.release, (terms, payer, recipients, amounts));
    }

    function funding(IEscrow.Terms memory terms, uint256 action) private view returns (bytes memory data) {
        bytes32 nonce = escrow.termsHash(terms);
        if (action == 1) {
            bytes memory receipt = signReceive(PAYER_KEY, address(escrow), PRICE, terms.fundBy, nonce);
            return abi.encodeCall(escrow.fundWithReceive, (terms, payer, 0, terms.fundBy, receipt));
        }
        return abi.encodeCall(escrow.fund, (terms, payer, 0, terms.fundBy, signed(terms, PAYER_KEY)));
    }

    function name(Stand stand, uint256 action) private pure returns (string memory text) {
        bytes1 row = bytes1(uint8(48 + uint256(stand)));
        return string.concat("row ", string(abi.encodePacked(row)), ", column ", vm.toString(action));
    }
}
