// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPaymentToken} from "./IPaymentToken.sol";

/// @title IEscrowControls
/// @notice The powers of the people who run an escrow, and the delays that announce their use.
/// @dev Times are unix seconds, amounts are micro-units of the payment token.
interface IEscrowControls {
    /// @notice Emitted when a resolver is named, for all holds.
    /// @param resolver The account that will release holds.
    /// @param effectiveAt The start of its tenure. No further transaction is needed. In the past if the
    /// present resolver was named again, which cancels the pending change.
    event ResolverChangeScheduled(address indexed resolver, uint48 effectiveAt);

    /// @notice Emitted when a pause begins: it stops funding, adopting, releasing and returning.
    /// @param until The time at which the pause ends by itself.
    event Paused(uint48 until);

    /// @notice Emitted when a pause is ended before its time.
    event Unpaused();

    /// @notice Emitted when a rescue of surplus is announced.
    /// @param to The recipient.
    /// @param amount The amount.
    /// @param availableAt The first moment at which it can be executed.
    event RescueAnnounced(address indexed to, uint256 amount, uint48 availableAt);

    /// @notice Emitted when an announced rescue is cancelled.
    /// @param to The announced recipient.
    /// @param amount The announced amount.
    event RescueCancelled(address indexed to, uint256 amount);

    /// @notice Emitted when tokens that are owed to nobody are taken out.
    /// @param token The payment token, or another one.
    /// @param to The recipient.
    /// @param amount The amount, in the token's own units.
    event Rescued(address indexed token, address indexed to, uint256 amount);

    /// @notice Thrown when the caller is not the resolver.
    /// @param caller The caller.
    /// @param resolver The resolver.
    error NotResolver(address caller, address resolver);

    /// @notice Thrown when the named resolver is zero, or is already the one named last.
    /// @param resolver The address refused.
    error InvalidResolver(address resolver);

    /// @notice Thrown when the payment token is zero.
    /// @param token The address refused.
    error InvalidToken(address token);

    /// @notice Thrown when the escrow is paused.
    /// @param until The time at which the pause ends by itself.
    error EscrowPaused(uint48 until);

    /// @notice Thrown when there is no pause to end.
    error NotPaused();

    /// @notice Thrown when the escrow cannot be paused yet.
    /// @param earliest The first moment at which it can be paused.
    error PauseTooSoon(uint48 earliest);

    /// @notice Thrown when an address cannot be paid.
    /// @param recipient The address refused.
    error InvalidRecipient(address recipient);

    /// @notice Thrown when an amount is above the surplus.
    /// @param amount The requested amount.
    /// @param available The surplus.
    error SurplusExceeded(uint256 amount, uint256 available);

    /// @notice Thrown when no rescue is announced.
    error NoRescueAnnounced();

    /// @notice Thrown when another rescue is announced. Cancel it first.
    /// @param availableAt The first moment at which it can be executed.
    error RescueAlreadyAnnounced(uint48 availableAt);

    /// @notice Thrown when the announced rescue cannot be executed at this moment.
    /// @param from The first moment at which it can be executed.
    /// @param until The last one.
    error OutsideRescueWindow(uint48 from, uint48 until);

    /// @notice Thrown when `rescueOther` is given the payment token, which needs an announced rescue.
    /// @param token The payment token.
    error AnnouncementRequired(address token);

    /// @notice Thrown when the transfer of another token changes the escrow's balance of the payment token.
    /// @param balanceBefore The balance of the payment token before the call.
    /// @param balanceAfter The balance after it.
    error PaymentTokenMoved(uint256 balanceBefore, uint256 balanceAfter);

    /// @notice Names another resolver, for all holds, from `RESOLVER_DELAY` on.
    /// @dev Naming the present resolver cancels a pending change: it stays in office, and its announcements
    /// stay in force. When a change takes effect, all earlier announcements for stray payments end.
    ///
    /// Requirements:
    /// - The caller is the default admin.
    /// - `newResolver` is not zero, and is not the one named last.
    /// @param newResolver The account that will release holds.
    function setResolver(address newResolver) external;

    /// @notice Stops funding, adopting, releasing and returning for `PAUSE_DURATION`.
    /// @dev Withdrawals, `reclaim`, `releaseByPayer` and `refundByPayee` still work.
    ///
    /// Requirements:
    /// - The caller has `PAUSER_ROLE`.
    /// - `PAUSE_INTERVAL` has passed since the end of the pause before.
    function pause() external;

    /// @notice Ends a pause before its time.
    /// @dev Requires the caller to have `PAUSER_ROLE`.
    function unpause() external;

    /// @notice Announces that surplus will be taken out.
    /// @dev It can be executed from `RESCUE_DELAY` on, for `RESCUE_WINDOW`, so that every announcement ends.
    ///
    /// Requirements:
    /// - The caller is the default admin, and no other rescue is announced.
    /// - `to` is neither zero nor the escrow.
    /// - `amount` is within the surplus, at the announcement and at the rescue.
    /// @param to The recipient.
    /// @param amount The amount.
    function announceRescue(address to, uint256 amount) external;

    /// @notice Cancels the announced rescue.
    /// @dev Requires the caller to be the default admin.
    function cancelRescue() external;

    /// @notice Executes the announced rescue.
    /// @dev Requires the caller to be the default admin, within the announced window.
    function rescue() external;

    /// @notice Takes out tokens other than the payment token, which the escrow never owes anyone.
    /// @dev Requirements:
    /// - The caller is the default admin.
    /// - The escrow's balance of the payment token is the same afterwards.
    /// @param other The token, not the payment token.
    /// @param to The recipient.
    /// @param amount The amount, in that token's units.
    function rescueOther(IERC20 other, address to, uint256 amount) external;

    /// @notice Returns the payment token.
    /// @return token_ Never changes.
    function token() external view returns (IPaymentToken token_);

    /// @notice Returns the account that may release, adopt and return at this moment.
    /// @return account The resolver.
    function resolver() external view returns (address account);

    /// @notice Returns the pending change of resolver.
    /// @return newResolver The next resolver, zero when no change is pending.
    /// @return effectiveAt The start of its tenure, zero when no change is pending.
    function pendingResolver() external view returns (address newResolver, uint48 effectiveAt);

    /// @notice Returns whether the escrow is paused at this moment.
    /// @return yes True while `fund`, `adopt`, `release` and `returnStray` are stopped.
    function paused() external view returns (bool yes);

    /// @notice Returns the end of the last pause.
    /// @return until Unix seconds, zero before the first pause.
    function pausedUntil() external view returns (uint48 until);

    /// @notice Returns the first moment at which the escrow can be paused.
    /// @return earliest Unix seconds, zero before the first pause.
    function pausableFrom() external view returns (uint48 earliest);

    /// @notice Returns the announced rescue.
    /// @return to The recipient, zero when none is announced.
    /// @return amount The amount.
    /// @return availableAt The first moment at which it can be executed.
    function announcedRescue() external view returns (address to, uint256 amount, uint48 availableAt);

    /// @notice Returns the surplus: the balance that is owed to nobody.
    /// @return amount The balance less everything owed; zero when the balance is lower.
    function surplus() external view returns (uint256 amount);
}
