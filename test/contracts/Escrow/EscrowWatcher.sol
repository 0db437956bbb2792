// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev Calls an escrow as anybody, with or without the right to. It predicts no outcome, but compares what
/// everybody has before and after each call.
contract EscrowWatcher is EscrowTest {
    /// @dev What everybody has: credits of `accounts`; states and announcements of `deals`.
    struct Facts {
        uint256[] credits;
        uint256[] balances;
        IEscrow.HoldState[] states;
        bytes32[] announcements;
        uint256 balance;
    }

    address private constant SECOND = address(0xA7);
    uint256 private constant DEALS = 6;
    uint256 private constant CALLS = 20;
    uint256 private constant WITHDRAW_FOR = 6;
    address private constant OUTSIDER = address(0xBEEF);

    uint256 private orders;
    IEscrow.Terms[] private deals;
    uint256[] private keys;
    address[] private accounts;

    /// @dev How often the money of a deal was held or returned.
    uint256[DEALS] private uses;

    /// @dev What somebody without a role changed of what another has: nothing, it should be.
    string public tampered;

    /// @dev All that the resolver credited after the expiry of a hold to others than its payer.
    uint256 public creditedLate;

    /// @dev Tokens that came without a hold, and those that were rescued, returned or adopted.
    uint256 public straysIn;
    uint256 public straysOut;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < 2; ++i) accounts.push(vm.addr(PAYER_KEY + i));
        usdc.mint(accounts[1], 1_000 * PRICE);
        address[5] memory others = [PAYEE, STRANGER, FEE_RECIPIENT, RESOLVER, SECOND];
        for (uint256 i = 0; i < others.length; ++i) accounts.push(others[i]);
        for (uint256 i = 0; i < DEALS; ++i) {
            deals.push();
            keys.push(PAYER_KEY + (i % 2));
            renew(i);
        }
    }

    /// @dev A few calls, half of them from somebody who may make them.
    function act(uint256 seed) external {
        for (uint256 i = 0; i < 4; ++i) {
            uint256 dice = uint256(keccak256(abi.encode(seed, i)));
            uint256 index = dice % DEALS;
            (bytes memory call, address rightful) = callOf((dice >> 32) % CALLS, index, dice >> 64);
            uint256 who = (dice >> 48) % 256;
            watch(who % 2 == 0 ? rightful : accounts[(who / 2) % accounts.length], call, index);
        }
    }

    /// @dev An account that is no party to any deal tries every call about one. It may only have others paid
    /// their credit.
    function trespass(uint256 seed, uint256 amount) public {
        uint256 index = seed % DEALS;
        Facts memory before = facts();
        for (uint256 what = 0; what < CALLS; ++what) {
            if (what == WITHDRAW_FOR) continue;
            (bytes memory call, ) = callOf(what, index, amount);
            vm.prank(OUTSIDER);
            (bool success, ) = address(escrow).call(call);
            if (success) tampered = "something";
        }
        if (keccak256(abi.encode(facts())) != keccak256(abi.encode(before))) tampered = "something";
        (bytes memory payment, ) = callOf(WITHDRAW_FOR, index, amount);
        watch(OUTSIDER, payment, index);
    }

    /// @dev The payer signs, and somebody without a role submits it, to the escrow or to the token itself.
    function pay(uint256 seed, uint256 way) external {
        uint256 index = seed % DEALS;
        if (isOver(index)) renew(index);
        (IEscrow.Terms memory terms, address from) = dealOf(index);
        bytes32 nonce = escrow.termsHash(terms);
        bool toToken = way % 3 == 2;
        bytes memory signature = way % 3 == 1
            ? signReceive(keys[index], address(escrow), terms.amount, terms.fundBy, nonce)
            : signTransfer(keys[index], address(escrow), terms.amount, terms.fundBy, nonce);
        bytes memory call = way % 3 == 1
            ? abi.encodeCall(escrow.fundWithReceive, (terms, from, 0, terms.fundBy, signature))
            : abi.encodeCall(escrow.fund, (terms, from, 0, terms.fundBy, signature));
        if (toToken) {
            call = abi.encodeCall(
                usdc.transferWithAuthorization,
                (from, address(escrow), terms.amount, 0, terms.fundBy, nonce, signature)
            );
        }
        Facts memory before = facts();
        vm.prank(STRANGER);
        (bool success, ) = (toToken ? address(usdc) : address(escrow)).call(call);
        if (success && toToken) straysIn += terms.amount;
        countUses(before, facts());
    }

    function cancelPayment(uint256 seed) external {
        (IEscrow.Terms memory terms, address from) = dealOf(seed % DEALS);
        bytes32 nonce = escrow.termsHash(terms);
        if (!usdc.authorizationState(from, nonce)) cancel(keys[seed % DEALS], nonce);
    }

    function dust(uint256 amount) external {
        amount = 1 + (amount % PRICE);
        usdc.mint(address(escrow), amount);
        straysIn += amount;
    }

    /// @dev A stray payment is announced, and dealt with when its delay has passed.
    function dealWithStray(uint256 seed, uint256 amount, bool adopts) public {
        uint256 first = adopts ? 7 : 9;
        for (uint256 step = 0; step < 2; ++step) {
            (bytes memory call, address rightful) = callOf(first + step, seed % DEALS, amount);
            watch(rightful, call, seed % DEALS);
            if (step != 0) return;
            trespass(seed, amount);
            vm.warp(timeNow() + 4 days);
        }
    }

    /// @dev The resolver in office, or its successor, releases an expired hold to whom it likes.
    function releaseLate(uint256 seed, uint256 amount, bool succeeds) external {
        for (uint256 i = 0; i < DEALS; ++i) {
            uint256 index = (seed % DEALS + i) % DEALS;
            (IEscrow.Terms memory terms, address from) = dealOf(index);
            if (escrow.stateOf(escrow.holdId(terms, from)) != IEscrow.HoldState.Held) continue;
            if (timeNow() <= terms.expiry) vm.warp(terms.expiry + 1);
            if (succeeds) watch(ADMIN, callOfAdmin(12, 0), index);
            if (succeeds) vm.warp(timeNow() + 2 days);
            (bytes memory call, address rightful) = callOf(0, index, amount);
            return watch(rightful, call, index);
        }
    }

    /// @dev The surplus is announced, and taken out after its delay. A stray payment is dealt with in
    /// between.
    function rescue(uint256 seed, bool adopts) external {
        watch(ADMIN, abi.encodeCall(escrow.announceRescue, (STRANGER, escrow.surplus())), 0);
        dealWithStray(seed, seed, adopts);
        vm.warp(timeNow() + 26 days);
        watch(ADMIN, abi.encodeCall(escrow.rescue, ()), 0);
    }

    /// @dev Mostly hours; sometimes to the last second of a deal, or the first after it, or to a change of
    /// resolver.
    function wait(uint256 seed, uint256 span) external {
        uint256 to = timeNow() + (span % 6 hours);
        if (span % 4 == 0) to = uint256(deals[seed % DEALS].expiry) + (span / 4) % 2;
        if (span % 4 == 1) to = timeNow() + 2 days;
        if (to > timeNow()) vm.warp(to);
    }

    /// @dev The token blocks an account, or frees it.
    function blockAccount(uint256 who, uint256 mood) external {
        address account = accounts[who % accounts.length];
        if (mood % 4 == 0) usdc.blacklist(account);
        else usdc.unBlacklist(account);
    }

    /// @dev Two calls of the payer, with so much gas, after the expiry: they must take the hold out. A third
    /// account is named where the token refuses the payer. Leaves everything as it was.
    function takeOut(uint256 index, uint256 gasOfACall) external {
        (IEscrow.Terms memory terms, address from) = dealOf(index);
        if (escrow.stateOf(escrow.holdId(terms, from)) != IEscrow.HoldState.Held) return;
        (uint256 snapshot, uint256 time) = (vm.snapshotState(), timeNow());
        if (time <= terms.expiry) vm.warp(terms.expiry + 1);
        vm.prank(from);
        escrow.reclaim{gas: gasOfACall}(terms);
        uint256 credit = escrow.claimable(from);
        vm.assertGe(credit, terms.amount, "the reclaimed hold is credited");
        address to = usdc.isBlacklisted(from) ? address(0xC0FFEE) : from;
        uint256 before = usdc.balanceOf(to);
        vm.prank(from);
        if (to == from) escrow.withdraw{gas: gasOfACall}();
        else escrow.withdrawTo{gas: gasOfACall}(to);
        vm.assertEq(usdc.balanceOf(to) - before, credit, "the credit is paid");
        vm.revertToState(snapshot);
        vm.warp(time);
    }

    /// @dev Another order takes the place of a deal.
    function renew(uint256 index) private {
        IEscrow.Terms memory terms = order();
        terms.order = keccak256(abi.encode(index, ++orders));
        // One of the two payers sells to the other as well.
        terms.payee = accounts[index < 2 ? 1 - index : index % 2 + 2];
        terms.amount = uint128(PRICE * (index + 1));
        terms.fundBy = uint48(timeNow() + 20 days);
        terms.expiry = uint48(timeNow() + 21 days + index * 20 days);
        deals[index] = terms;
        uses[index] = 0;
    }

    function dealCount() external pure returns (uint256 count) {
        return DEALS;
    }

    function watch(address caller, bytes memory call, uint256 index) private {
        bool hasNoRole = !hasRole(caller);
        bool resolvesAfterExpiry = caller == escrow.resolver() && timeNow() > deals[index].expiry;
        Facts memory before = facts();
        vm.prank(caller);
        (bool success, ) = address(escrow).call(call);
        Facts memory later = facts();
        if (!success) vm.assertEq(keccak256(abi.encode(later)), keccak256(abi.encode(before)), "a refusal changes nothing");
        if (hasNoRole) noteTampering(caller, before, later);
        if (resolvesAfterExpiry) noteLateCredit(index, before, later);
        bookStrays(before, later);
        countUses(before, later);
    }

    /// @dev Notes a change of what others have, unless it is a payment to them.
    function noteTampering(address caller, Facts memory before, Facts memory later) private {
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (accounts[i] == caller || later.credits[i] >= before.credits[i]) continue;
            uint256 paid = later.balances[i] - before.balances[i];
            if (paid != before.credits[i] - later.credits[i]) tampered = "credit";
        }
        for (uint256 i = 0; i < DEALS; ++i) {
            if (vm.addr(keys[i]) == caller) continue;
            if (later.announcements[i] != before.announcements[i]) tampered = "announcement";
            if (later.states[i] == before.states[i]) continue;
            uint256 place = keys[i] - PAYER_KEY;
            if (later.credits[place] != before.credits[place] + deals[i].amount) tampered = "hold";
        }
    }

    function noteLateCredit(uint256 index, Facts memory before, Facts memory later) private {
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (accounts[i] == vm.addr(keys[index]) || later.credits[i] <= before.credits[i]) continue;
            creditedLate += later.credits[i] - before.credits[i];
        }
    }

    function bookStrays(Facts memory before, Facts memory later) private {
        (uint256 credited, uint256 left) = (sum(before.credits), sum(later.credits));
        uint256 withdrawn = credited > left ? credited - left : 0;
        uint256 out = before.balance > later.balance ? before.balance - later.balance : 0;
        if (out > withdrawn) straysOut += out - withdrawn;
        for (uint256 i = 0; i < DEALS; ++i) {
            bool adopted = before.states[i] == IEscrow.HoldState.None && later.states[i] == IEscrow.HoldState.Held;
            if (adopted) straysOut += deals[i].amount;
        }
    }

    function countUses(Facts memory before, Facts memory later) private {
        for (uint256 i = 0; i < DEALS; ++i) {
            bool used = later.states[i] == IEscrow.HoldState.Held || later.states[i] == IEscrow.HoldState.Returned;
            if (used && later.states[i] != before.states[i]) ++uses[i];
            vm.assertLe(uses[i], 1, "a payment is held or returned once at most");
        }
    }

    /// @dev A call about a deal, and somebody who may make it.
    function callOf(
        uint256 what,
        uint256 index,
        uint256 amount
    ) private view returns (bytes memory call, address rightful) {
        (IEscrow.Terms memory terms, address from) = dealOf(index);
        bytes32 nonce = escrow.termsHash(terms);
        address resolver = escrow.resolver();
        if (what == 0) return (releaseOf(terms, from, amount), resolver);
        if (what == 1) return (abi.encodeCall(escrow.releaseByPayer, (terms)), from);
        if (what == 2) return (abi.encodeCall(escrow.refundByPayee, (terms, from)), terms.payee);
        if (what == 3) return (abi.encodeCall(escrow.reclaim, (terms)), from);
        if (what == 4) return (abi.encodeCall(escrow.withdraw, ()), terms.payee);
        if (what == 5) return (abi.encodeCall(escrow.withdrawTo, (STRANGER)), from);
        if (what == 6) return (abi.encodeCall(escrow.withdrawFor, (terms.payee)), STRANGER);
        if (what == 7) return (abi.encodeCall(escrow.announceAdopt, (terms, from)), resolver);
        if (what == 8) return (abi.encodeCall(escrow.adopt, (terms, from)), resolver);
        amount = amount % 3 == 0 ? 1 + ((amount / 3) % terms.amount) : terms.amount;
        if (what == 9) return (abi.encodeCall(escrow.announceReturnStray, (from, nonce, amount)), resolver);
        if (what == 10) return (abi.encodeCall(escrow.returnStray, (from, nonce, amount)), resolver);
        if (what == 11) return (abi.encodeCall(escrow.cancelStray, (from, nonce)), PAUSER);
        if (what == 13) return (abi.encodeCall(escrow.pause, ()), PAUSER);
        if (what == 14) return (abi.encodeCall(escrow.unpause, ()), PAUSER);
        if (what == 19) return (abi.encodeCall(escrow.fund, (terms, from, 0, terms.fundBy, new bytes(65))), STRANGER);
        return (callOfAdmin(what, amount), ADMIN);
    }

    function callOfAdmin(uint256 what, uint256 amount) private view returns (bytes memory call) {
        if (what == 15) return abi.encodeCall(escrow.announceRescue, (STRANGER, amount));
        if (what == 16) return abi.encodeCall(escrow.cancelRescue, ());
        if (what == 17) return abi.encodeCall(escrow.rescue, ());
        if (what == 18) return abi.encodeCall(escrow.rescueOther, (IERC20(address(usdc)), STRANGER, amount));
        return abi.encodeCall(escrow.setResolver, (escrow.resolver() == RESOLVER ? SECOND : RESOLVER));
    }

    /// @dev Everything to one of the parties, or between two of them.
    function releaseOf(
        IEscrow.Terms memory terms,
        address from,
        uint256 seed
    ) private view returns (bytes memory call) {
        address[3] memory parties = [terms.payee, from, FEE_RECIPIENT];
        address first = parties[seed % 3];
        (address[] memory to, uint256[] memory amounts) = whole(first, terms.amount);
        uint256 part = seed % 2 == 0 ? terms.amount / 20 : (seed / 6) % terms.amount;
        if (seed % 5 != 0 && part != 0) {
            (to, amounts) = split(first, terms.amount - part, parties[(seed + 1 + (seed / 3) % 2) % 3], part);
        }
        return abi.encodeCall(escrow.release, (terms, from, to, amounts));
    }

    function facts() private view returns (Facts memory all) {
        all.credits = new uint256[](accounts.length);
        all.balances = new uint256[](accounts.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            (all.credits[i], all.balances[i]) = (escrow.claimable(accounts[i]), usdc.balanceOf(accounts[i]));
        }
        all.states = new IEscrow.HoldState[](DEALS);
        all.announcements = new bytes32[](DEALS);
        for (uint256 i = 0; i < DEALS; ++i) {
            (IEscrow.Terms memory terms, address from) = dealOf(i);
            bytes32 nonce = escrow.termsHash(terms);
            all.states[i] = escrow.stateOf(keccak256(abi.encode(nonce, from)));
            (IEscrow.StrayAction action, uint256 amount, uint48 availableAt) = escrow.announcedStray(from, nonce);
            all.announcements[i] = keccak256(abi.encode(action, amount, availableAt));
        }
        all.balance = usdc.balanceOf(address(escrow));
    }

    /// @dev Whether nothing can become of a deal any more: its hold has ended, or cannot begin.
    function isOver(uint256 index) private view returns (bool yes) {
        (IEscrow.Terms memory terms, address from) = dealOf(index);
        IEscrow.HoldState state = escrow.stateOf(escrow.holdId(terms, from));
        if (state == IEscrow.HoldState.None) return timeNow() > terms.fundBy;
        return state != IEscrow.HoldState.Held;
    }

    function hasRole(address account) private view returns (bool yes) {
        bool resolves = account == escrow.resolver();
        return resolves || account == escrow.defaultAdmin() || escrow.hasRole(escrow.PAUSER_ROLE(), account);
    }

    function dealOf(uint256 index) private view returns (IEscrow.Terms memory terms, address from) {
        return (deals[index], vm.addr(keys[index]));
    }

    function sum(uint256[] memory amounts) private pure returns (uint256 total) {
        for (uint256 i = 0; i < amounts.length; ++i) total += amounts[i];
    }
}
