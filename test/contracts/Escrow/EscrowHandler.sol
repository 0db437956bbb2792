// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {IDeployedEscrow} from "../IDeployedEscrow.sol";
import {IUsdc} from "../IUsdc.sol";

/// @dev Does to an escrow whatever its parties and strangers can, and the resolver with their orders, and
/// keeps its own books. Each action states beforehand whether it must succeed: a forbidden one that succeeds
/// fails the run, and so does the reverse.
abstract contract EscrowHandler is EscrowTest {
    /// @dev An order, the state its hold must be in, whether its authorization is spent, and what is
    /// announced for it.
    struct Deal {
        IEscrow.Terms terms;
        uint256 key;
        IEscrow.HoldState state;
        bool spent;
        IEscrow.StrayAction announced;
        uint256 announcedAmount;
        uint256 announcedAt;
    }

    uint256 private constant MAX_DEALS = 16;

    Deal[] internal deals;
    address[] internal accounts;

    /// @dev All that reached the escrow, and left it, in micro-units.
    uint256 public totalIn;
    uint256 public totalOut;

    /// @dev What the token refuses for now, whoever asks.
    bool internal tokenPaused;
    mapping(address account => bool yes) internal blocked;

    /// @dev All that each account was ever credited, and paid: the escrow itself keeps the difference alone.
    mapping(address account => uint256 micros) public credited;
    mapping(address account => uint256 micros) public withdrawn;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < 3; ++i) {
            accounts.push(vm.addr(payerKey(i)));
            usdc.mint(vm.addr(payerKey(i)), type(uint128).max);
        }
        accounts.push(PAYEE);
        accounts.push(STRANGER);
        accounts.push(FEE_RECIPIENT);
    }

    function place(uint256 payerSeed, uint128 amount, uint16 feeBps, bool toStranger) external {
        if (deals.length == MAX_DEALS) return;
        IEscrow.Terms memory terms = order();
        terms.order = keccak256(abi.encode(deals.length));
        terms.payee = toStranger ? STRANGER : PAYEE;
        terms.amount = 1 + (amount % 1e12);
        terms.feeBps = feeBps % 1_001;
        addDeal(terms, payerKey(payerSeed));
    }

    /// @dev Another payer under the terms of a deal that is there.
    function copy(uint256 seed, uint256 payerSeed) external {
        if (deals.length == 0 || deals.length == MAX_DEALS) return;
        IEscrow.Terms memory terms = deals[seed % deals.length].terms;
        for (uint256 i = 0; i < deals.length; ++i) {
            bool taken = deals[i].terms.order == terms.order && deals[i].key == payerKey(payerSeed);
            if (taken) return;
        }
        addDeal(terms, payerKey(payerSeed));
    }

    function fund(uint256 seed, bool byReceive) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        IEscrow.Terms memory terms = deal.terms;
        bytes32 nonce = escrow.termsHash(terms);
        uint256 validBefore = terms.fundBy + 1;
        bytes memory signature = byReceive
            ? signReceive(deal.key, address(escrow), terms.amount, validBefore, nonce)
            : signTransfer(deal.key, address(escrow), terms.amount, validBefore, nonce);
        bytes memory call = byReceive
            ? abi.encodeCall(escrow.fundWithReceive, (terms, vm.addr(deal.key), 0, validBefore, signature))
            : abi.encodeCall(escrow.fund, (terms, vm.addr(deal.key), 0, validBefore, signature));
        if (attempt(STRANGER, call, fundable(deal) && !escrow.paused())) bookFunding(deal);
    }

    function payPastTheEscrow(uint256 seed) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        if (deal.spent || !moves(vm.addr(deal.key), address(escrow))) return;
        submitDirectly(deal.key, address(escrow), deal.terms.amount, escrow.termsHash(deal.terms));
        deal.spent = true;
        totalIn += deal.terms.amount;
    }

    function spendElsewhere(uint256 seed, bool bySelfTransfer) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        if (deal.spent || !moves(vm.addr(deal.key), vm.addr(deal.key))) return;
        bytes32 nonce = escrow.termsHash(deal.terms);
        if (bySelfTransfer) submitDirectly(deal.key, vm.addr(deal.key), deal.terms.amount, nonce);
        else cancel(deal.key, nonce);
        deal.spent = true;
    }

    function announceAdopt(uint256 seed) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        bool allowed = deal.state == IEscrow.HoldState.None && deal.spent && timeNow() <= deal.terms.expiry;
        bool repeated = stands(deal) && deal.announced == IEscrow.StrayAction.Adopt;
        bytes memory call = abi.encodeCall(escrow.announceAdopt, (deal.terms, vm.addr(deal.key)));
        if (attempt(resolverNow(), call, allowed && !repeated)) {
            bookAnnouncement(deal, IEscrow.StrayAction.Adopt, deal.terms.amount);
        }
    }

    function adopt(uint256 seed) external {
        if (deals.length == 0) return;
        Deal storage deal = announcedDeal(seed, IEscrow.StrayAction.Adopt);
        bool allowed = isDue(deal, IEscrow.StrayAction.Adopt, deal.terms.amount) && timeNow() <= deal.terms.expiry;
        bool covered = deal.terms.amount <= surplus();
        bytes memory call = abi.encodeCall(escrow.adopt, (deal.terms, vm.addr(deal.key)));
        if (!attempt(resolverNow(), call, allowed && covered && !escrow.paused())) return;
        deal.state = IEscrow.HoldState.Held;
        deal.announced = IEscrow.StrayAction.None;
    }

    function cancelStray(uint256 seed) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        bytes32 nonce = escrow.termsHash(deal.terms);
        bytes memory call = abi.encodeCall(escrow.cancelStray, (vm.addr(deal.key), nonce));
        if (attempt(pauserNow(), call, stands(deal))) deal.announced = IEscrow.StrayAction.None;
    }

    function release(uint256 seed, uint256 refund, uint256 fee) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        uint256 amount = deal.terms.amount;
        refund = refund % (amount + 1);
        fee = fee % (((amount - refund) * deal.terms.feeBps) / 10_000 + 1);
        if (refund + fee == amount && refund != 0 && fee != 0) refund = amount;
        (address[] memory recipients, uint256[] memory amounts) = refund == amount
            ? whole(vm.addr(deal.key), amount)
            : legs(deal, refund, fee);
        bool allowed = deal.state == IEscrow.HoldState.Held &&
            !escrow.paused() &&
            (timeNow() <= deal.terms.expiry || refund == amount);
        bytes memory call = abi.encodeCall(escrow.release, (deal.terms, vm.addr(deal.key), recipients, amounts));
        if (attempt(resolverNow(), call, allowed)) bookRelease(deal, recipients, amounts);
    }

    function releaseByPayer(uint256 seed) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        bytes memory call = abi.encodeCall(escrow.releaseByPayer, (deal.terms));
        if (!attempt(vm.addr(deal.key), call, deal.state == IEscrow.HoldState.Held)) return;
        deal.state = IEscrow.HoldState.Released;
        uint256 fee = (uint256(deal.terms.amount) * deal.terms.feeBps) / 10_000;
        credited[deal.terms.feeRecipient] += fee;
        credited[deal.terms.payee] += deal.terms.amount - fee;
    }

    function refundByPayee(uint256 seed) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        bytes memory call = abi.encodeCall(escrow.refundByPayee, (deal.terms, vm.addr(deal.key)));
        if (!attempt(deal.terms.payee, call, deal.state == IEscrow.HoldState.Held)) return;
        deal.state = IEscrow.HoldState.Released;
        credited[vm.addr(deal.key)] += deal.terms.amount;
    }

    function reclaim(uint256 seed) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        bool allowed = deal.state == IEscrow.HoldState.Held && timeNow() > deal.terms.expiry;
        if (!attempt(vm.addr(deal.key), abi.encodeCall(escrow.reclaim, (deal.terms)), allowed)) return;
        deal.state = IEscrow.HoldState.Reclaimed;
        credited[vm.addr(deal.key)] += deal.terms.amount;
    }

    function withdraw(uint256 seed, uint256 kind) external {
        address account = accounts[seed % accounts.length];
        uint256 amount = credited[account] - withdrawn[account];
        address to = kind % 3 == 1 ? address(0xC0FFEE) : account;
        uint256 before = usdc.balanceOf(to);
        bytes memory call = abi.encodeCall(escrow.withdraw, ());
        if (kind % 3 == 1) call = abi.encodeCall(escrow.withdrawTo, (to));
        if (kind % 3 == 2) call = abi.encodeCall(escrow.withdrawFor, (account));
        if (!attempt(kind % 3 == 2 ? STRANGER : account, call, amount != 0 && moves(address(escrow), to))) return;
        vm.assertEq(usdc.balanceOf(to) - before, amount, "a withdrawal pays what it takes");
        withdrawn[account] += amount;
        totalOut += amount;
    }

    function announceReturnStray(uint256 seed, uint256 amount) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        amount = returnable(deal, amount);
        bool repeated = stands(deal) && deal.announced == IEscrow.StrayAction.Return && deal.announcedAmount == amount;
        bool allowed = deal.state == IEscrow.HoldState.None && deal.spent && !repeated;
        bytes32 nonce = escrow.termsHash(deal.terms);
        bytes memory call = abi.encodeCall(escrow.announceReturnStray, (vm.addr(deal.key), nonce, amount));
        if (attempt(resolverNow(), call, allowed)) bookAnnouncement(deal, IEscrow.StrayAction.Return, amount);
    }

    function returnStray(uint256 seed, uint256 amount) external {
        if (deals.length == 0) return;
        Deal storage deal = announcedDeal(seed, IEscrow.StrayAction.Return);
        amount = returnable(deal, amount);
        bool allowed = isDue(deal, IEscrow.StrayAction.Return, amount) && amount <= surplus();
        bytes32 nonce = escrow.termsHash(deal.terms);
        bytes memory call = abi.encodeCall(escrow.returnStray, (vm.addr(deal.key), nonce, amount));
        allowed = allowed && moves(address(escrow), vm.addr(deal.key)) && !escrow.paused();
        if (!attempt(resolverNow(), call, allowed)) return;
        deal.state = IEscrow.HoldState.Returned;
        deal.announced = IEscrow.StrayAction.None;
        totalOut += amount;
    }

    function dust(uint256 amount) external {
        if (!moves(address(this), address(escrow))) return;
        amount = 1 + (amount % 1e9);
        usdc.mint(address(escrow), amount);
        totalIn += amount;
    }

    function pause() external {
        attempt(pauserNow(), abi.encodeCall(escrow.pause, ()), timeNow() >= escrow.pausableFrom());
    }

    function unpause() external {
        attempt(pauserNow(), abi.encodeCall(escrow.unpause, ()), escrow.paused());
    }

    /// @dev Mostly minutes, so that orders can still be funded; now and then past a delay, or every expiry.
    function wait(uint32 time) external {
        uint256 span = time % 10 minutes;
        if (time % 16 == 0) span = time % 200 days;
        if (time % 16 == 1) span = 2 days;
        if (time % 16 == 3) span = 4 days;
        if (time % 16 == 2) span = 30 days + (time % 8 days);
        vm.warp(timeNow() + span);
        // The very second in which the next pause becomes possible.
        if (time % 16 == 4 && escrow.pausableFrom() > timeNow()) vm.warp(escrow.pausableFrom());
    }

    function deployedEscrow() external view returns (IDeployedEscrow deployed) {
        return escrow;
    }

    function deployedUsdc() external view returns (IUsdc deployed) {
        return usdc;
    }

    function dealCount() external view returns (uint256 count) {
        return deals.length;
    }

    function dealAt(uint256 index) external view returns (Deal memory deal, bytes32 id) {
        deal = deals[index];
        id = escrow.holdId(deal.terms, vm.addr(deal.key));
    }

    function allAccounts() external view returns (address[] memory all) {
        return accounts;
    }

    /// @dev Calls the escrow, and demands the outcome expected.
    function attempt(address sender, bytes memory call, bool expected) internal returns (bool success) {
        vm.prank(sender);
        (success, ) = address(escrow).call(call);
        string memory message = expected ? "an allowed action failed" : "a forbidden action succeeded";
        vm.assertTrue(success == expected, message);
    }

    /// @dev Who resolves by the books.
    function resolverNow() public view virtual returns (address account);

    /// @dev Who pauses by the books.
    function pauserNow() public view virtual returns (address account);

    /// @dev When the present resolver took office, by the books.
    function resolverSince() public view virtual returns (uint256 since);

    /// @dev Whether something is announced for the deal by the resolver still in office.
    function stands(Deal memory deal) public view returns (bool yes) {
        return deal.announced != IEscrow.StrayAction.None && deal.announcedAt >= resolverSince();
    }

    function isDue(Deal storage deal, IEscrow.StrayAction action, uint256 amount) private view returns (bool yes) {
        bool exact = deal.announced == action && deal.announcedAmount == amount;
        return exact && stands(deal) && timeNow() >= deal.announcedAt + 4 days;
    }

    /// @dev A deal for which this is announced, where there is one.
    function announcedDeal(uint256 seed, IEscrow.StrayAction action) private view returns (Deal storage deal) {
        uint256 count = deals.length;
        for (uint256 i = 0; i < count; ++i) {
            deal = deals[((seed % count) + i) % count];
            if (deal.announced == action) return deal;
        }
        return deals[seed % count];
    }

    /// @dev One of two amounts, so that the announced one is often the returned one.
    function returnable(Deal storage deal, uint256 seed) private view returns (uint256 amount) {
        return seed % 4 == 0 ? 1 + deal.terms.amount / 2 : deal.terms.amount;
    }

    function bookAnnouncement(Deal storage deal, IEscrow.StrayAction action, uint256 amount) private {
        (deal.announced, deal.announcedAmount, deal.announcedAt) = (action, amount, timeNow());
    }

    function addDeal(IEscrow.Terms memory terms, uint256 key) private {
        deals.push(Deal(terms, key, IEscrow.HoldState.None, false, IEscrow.StrayAction.None, 0, 0));
    }

    function fundable(Deal storage deal) internal view returns (bool yes) {
        bool open = deal.state == IEscrow.HoldState.None && !deal.spent && timeNow() <= deal.terms.fundBy;
        return open && moves(vm.addr(deal.key), address(escrow));
    }

    function bookFunding(Deal storage deal) internal {
        (deal.state, deal.spent) = (IEscrow.HoldState.Held, true);
        totalIn += deal.terms.amount;
    }

    function bookRelease(Deal storage deal, address[] memory recipients, uint256[] memory amounts) internal {
        deal.state = IEscrow.HoldState.Released;
        for (uint256 i = 0; i < recipients.length; ++i) credited[recipients[i]] += amounts[i];
    }

    /// @dev Whether the token lets these two move money between them.
    function moves(address from, address to) internal view returns (bool yes) {
        return !tokenPaused && !blocked[from] && !blocked[to];
    }

    /// @dev What is there and in no deal of the books, and credited to nobody.
    function surplus() public view returns (uint256 amount) {
        amount = totalIn - totalOut;
        for (uint256 i = 0; i < deals.length; ++i) {
            if (deals[i].state == IEscrow.HoldState.Held) amount -= deals[i].terms.amount;
        }
        for (uint256 i = 0; i < accounts.length; ++i) amount -= credited[accounts[i]] - withdrawn[accounts[i]];
    }

    /// @dev Payer, payee and fee recipient, without the legs that are zero. The payee's is not.
    function legs(
        Deal storage deal,
        uint256 refund,
        uint256 fee
    ) internal view returns (address[] memory recipients, uint256[] memory amounts) {
        uint256 count = 1 + (refund == 0 ? 0 : 1) + (fee == 0 ? 0 : 1);
        uint256 net = deal.terms.amount - refund - fee;
        if (net == 0) return whole(deal.terms.feeRecipient, fee);
        recipients = new address[](count);
        amounts = new uint256[](count);
        (recipients[0], amounts[0]) = (deal.terms.payee, net);
        if (refund != 0) (recipients[1], amounts[1]) = (vm.addr(deal.key), refund);
        if (fee != 0) (recipients[count - 1], amounts[count - 1]) = (deal.terms.feeRecipient, fee);
    }

    function payerKey(uint256 seed) private pure returns (uint256 key) {
        return 0xF00 + (seed % 3);
    }
}
