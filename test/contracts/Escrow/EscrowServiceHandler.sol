// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowHandler} from "./EscrowHandler.sol";
import {IPowers} from "./IPowers.sol";

/// @dev The rest of what can happen: the powers over the escrow, those who have none, and the token's moods.
contract EscrowServiceHandler is EscrowHandler {
    address private constant SAFE = address(0x5AFE);
    address private constant SECOND = address(0xA7);

    IPowers private powers;

    address private resolverBefore = RESOLVER;
    address private resolverAfter = RESOLVER;
    uint256 private resolverChangesAt;
    uint256 private resolverBeforeSince;

    bool private announced;
    uint256 private announcedAmount;
    uint256 private availableAt;

    function obey(IPowers whose) external {
        powers = whose;
    }

    function setResolver(bool second) external {
        address next = second ? SECOND : RESOLVER;
        bool allowed = next != resolverAfter;
        if (!attempt(powers.adminNow(), abi.encodeCall(escrow.setResolver, (next)), allowed)) return;
        (resolverBefore, resolverBeforeSince) = (resolverNow(), resolverSince());
        // Who is in office stays there, in the same term.
        bool cancels = next == resolverBefore;
        (resolverAfter, resolverChangesAt) = (next, cancels ? resolverBeforeSince : timeNow() + 2 days);
    }

    function announceRescue(uint256 amount) external {
        amount = amount % (surplus() + 2);
        bool allowed = !announced && amount <= surplus();
        if (!attempt(powers.adminNow(), abi.encodeCall(escrow.announceRescue, (SAFE, amount)), allowed)) return;
        (announced, announcedAmount, availableAt) = (true, amount, timeNow() + 30 days);
    }

    function cancelRescue() external {
        if (attempt(powers.adminNow(), abi.encodeCall(escrow.cancelRescue, ()), announced)) announced = false;
    }

    function rescue() external {
        bool inWindow = timeNow() >= availableAt && timeNow() <= availableAt + 7 days;
        bool allowed = announced && inWindow && announcedAmount <= surplus() && moves(address(escrow), SAFE);
        if (!attempt(powers.adminNow(), abi.encodeCall(escrow.rescue, ()), allowed)) return;
        announced = false;
        totalOut += announcedAmount;
    }

    /// @dev Anyone tries what is another's to do.
    function trespass(uint256 seed, uint256 who, uint256 what) external {
        if (deals.length == 0) return;
        Deal storage deal = deals[seed % deals.length];
        address payerOfDeal = vm.addr(deal.key);
        address[5] memory powerless = [STRANGER, FEE_RECIPIENT, payerOfDeal, deal.terms.payee, formerResolver()];
        (address[] memory recipients, uint256[] memory amounts) = whole(deal.terms.payee, deal.terms.amount);
        bytes[12] memory calls = [
            abi.encodeCall(escrow.release, (deal.terms, payerOfDeal, recipients, amounts)),
            abi.encodeCall(escrow.adopt, (deal.terms, payerOfDeal)),
            abi.encodeCall(escrow.returnStray, (payerOfDeal, escrow.termsHash(deal.terms), 1)),
            abi.encodeCall(escrow.announceAdopt, (deal.terms, payerOfDeal)),
            abi.encodeCall(escrow.announceReturnStray, (payerOfDeal, escrow.termsHash(deal.terms), 1)),
            abi.encodeCall(escrow.cancelStray, (payerOfDeal, escrow.termsHash(deal.terms))),
            abi.encodeCall(escrow.setResolver, (STRANGER)),
            abi.encodeCall(escrow.announceRescue, (STRANGER, 1)),
            abi.encodeCall(escrow.rescue, ()),
            abi.encodeCall(escrow.rescueOther, (IERC20(address(usdc)), STRANGER, 1)),
            abi.encodeCall(escrow.pause, ()),
            abi.encodeCall(escrow.unpause, ())
        ];
        attempt(powerless[who % 5], calls[what % 12], false);
    }

    /// @dev The token blocks a party or the escrow, and more often frees one.
    function blockAccount(uint256 seed, uint256 mood) external {
        uint256 place = seed % (accounts.length + 1);
        address account = place == accounts.length ? address(escrow) : accounts[place];
        blocked[account] = mood % 3 == 0;
        if (blocked[account]) usdc.blacklist(account);
        else usdc.unBlacklist(account);
    }

    function pauseToken(uint256 mood) external {
        tokenPaused = mood % 4 == 0;
        if (tokenPaused) usdc.pause();
        else usdc.unpause();
    }

    function pauserNow() public view override returns (address account) {
        return powers.pauserNow();
    }

    function resolverNow() public view override returns (address account) {
        return timeNow() < resolverChangesAt ? resolverBefore : resolverAfter;
    }

    function resolverSince() public view override returns (uint256 since) {
        return timeNow() < resolverChangesAt ? resolverBeforeSince : resolverChangesAt;
    }

    function formerResolver() private view returns (address account) {
        return resolverNow() == RESOLVER ? SECOND : RESOLVER;
    }
}
