// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPaymentToken} from "./IPaymentToken.sol";

/// @title IEscrowControls
/// @notice What the people who run an escrow may do, and how long everyone can see it coming.
/// @dev Times are unix seconds, amounts are micro-units of the payment token.
interface IEscrowControls {
    /// @notice Emitted when a resolver is named, for all holds.
    /// @param resolver Who will release holds.
    /// @param effectiveAt When it begins. No further transaction is needed. Not in the future if the present resolver was
    /// named again, which cancels the change that was due.
    event ResolverChangeScheduled(address indexed resolver, uint48 effectiveAt);

    /// @notice Funding, adopting, releasing and returning are stopped until `until`.
    /// @param until When the pause ends by itself.
    event Paused(uint48 until);

    /// @notice A pause was ended before its time.
    event Unpaused();

    /// @notice Unowed money may be taken out from `availableAt` on.
    /// @param to Who will get it.
    /// @param amount How much.
    /// @param availableAt The first moment it can be done.
    event RescueAnnounced(address indexed to, uint256 amount, uint48 availableAt);

    /// @notice An announced rescue will not happen.
    /// @param to Who would have got it.
    /// @param amount How much it would have been.
    event RescueCancelled(address indexed to, uint256 amount);

    /// @notice Tokens that are owed to nobody were taken out.
    /// @param token The payment token, or another one.
    /// @param to Who got them.
    /// @param amount How many, in the token's own units.
    event Rescued(address indexed token, address indexed to, uint256 amount);

    /// @notice The caller is not the resolver.
    /// @param caller Who called.
    /// @param resolver Who may.
    error NotResolver(address caller, address resolver);

    /// @notice Thrown when the named resolver is zero, or was named last already.
    /// @param resolver The address refused.
    error InvalidResolver(address resolver);

    /// @notice This address cannot be the payment token.
    /// @param token The address refused: zero.
    error InvalidToken(address token);

    /// @notice The escrow is paused.
    /// @param until When the pause ends by itself.
    error EscrowPaused(uint48 until);

    /// @notice There is no pause to end.
    error NotPaused();

    /// @notice The escrow cannot be paused yet.
    /// @param earliest The first moment it can be.
    error PauseTooSoon(uint48 earliest);

    /// @notice This address cannot be paid.
    /// @param recipient The address refused.
    error InvalidRecipient(address recipient);

    /// @notice More was asked for than is there and owed to nobody.
    /// @param amount What was asked for.
    /// @param available What there is.
    error SurplusExceeded(uint256 amount, uint256 available);

    /// @notice No rescue is announced.
    error NoRescueAnnounced();

    /// @notice A rescue is announced already: cancel it first.
    /// @param availableAt When it can be done.
    error RescueAlreadyAnnounced(uint48 availableAt);

    /// @notice The announced rescue cannot be done at this moment.
    /// @param from The first moment it can be done.
    /// @param until The last moment it can be done.
    error OutsideRescueWindow(uint48 from, uint48 until);

    /// @notice The payment token is taken out by an announced rescue only.
    /// @param token The payment token.
    error AnnouncementRequired(address token);

    /// @notice A token that is not the payment token changed the escrow's balance of the payment token.
    /// @param balanceBefore The balance of the payment token before the call.
    /// @param balanceAfter The balance after it.
    error PaymentTokenMoved(uint256 balanceBefore, uint256 balanceAfter);

    /// @notice Names another resolver, for all holds, from `RESOLVER_DELAY` on.
    /// @dev Naming the present resolver cancels a change that has not taken effect: it stays in office, with what it has
    /// announced. When a change takes effect, everything announced for stray payments before it ends.
    ///
    /// Requirements:
    /// - The caller is the default admin.
    /// - `newResolver` is not zero, and is not the one named last.
    /// @param newResolver Who will release holds.
    function setResolver(address newResolver) external;

    /// @notice Stops funding, adopting, releasing and returning for `PAUSE_DURATION`.
    /// @dev Withdrawing, reclaiming, `releaseByPayer` and `refundByPayee` go on.
    ///
    /// Requirements:
    /// - The caller has `PAUSER_ROLE`.
    /// - `PAUSE_INTERVAL` has passed since the end of the pause before.
    function pause() external;

    /// @notice Ends a pause before its time.
    /// @dev Requires the caller to have `PAUSER_ROLE`.
    function unpause() external;

    /// @notice Announces that money owed to nobody will be taken out.
    /// @dev It can be done from `RESCUE_DELAY` on, for `RESCUE_WINDOW`, so that no announcement stands for ever.
    ///
    /// Requirements:
    /// - The caller is the default admin, and no other rescue is announced.
    /// - `to` is neither zero nor the escrow.
    /// - `amount` is within the surplus, at the announcement and at the rescue.
    /// @param to Who will get it.
    /// @param amount How much.
    function announceRescue(address to, uint256 amount) external;

    /// @notice Takes an announcement back.
    /// @dev Requires the caller to be the default admin.
    function cancelRescue() external;

    /// @notice Carries the announced rescue out.
    /// @dev Requires the caller to be the default admin, within the announced window.
    function rescue() external;

    /// @notice Takes out tokens other than the payment token, which the escrow never owes anyone.
    /// @dev Requirements:
    /// - The caller is the default admin.
    /// - The escrow's balance of the payment token is the same afterwards.
    /// @param other The token, not the payment token.
    /// @param to Who will get them.
    /// @param amount How many, in that token's units.
    function rescueOther(IERC20 other, address to, uint256 amount) external;

    /// @notice The payment token.
    /// @return token_ Never changes.
    function token() external view returns (IPaymentToken token_);

    /// @notice Who may release, adopt and return at this moment.
    /// @return account The resolver.
    function resolver() external view returns (address account);

    /// @notice The change of resolver that has not taken effect.
    /// @return newResolver Who it will be, zero when no change is due.
    /// @return effectiveAt When, zero when no change is due.
    function pendingResolver() external view returns (address newResolver, uint48 effectiveAt);

    /// @notice Whether the escrow is paused at this moment.
    /// @return yes True while `fund`, `adopt`, `release` and `returnStray` are stopped.
    function paused() external view returns (bool yes);

    /// @notice When the last pause ends, or ended.
    /// @return until Unix seconds, zero before the first pause.
    function pausedUntil() external view returns (uint48 until);

    /// @notice The first moment the escrow can be paused.
    /// @return earliest Unix seconds, zero before the first pause.
    function pausableFrom() external view returns (uint48 earliest);

    /// @notice The announced rescue.
    /// @return to Who will get it, zero when none is announced.
    /// @return amount How much.
    /// @return availableAt The first moment it can be done.
    function announcedRescue() external view returns (address to, uint256 amount, uint48 availableAt);

    /// @notice Money in the escrow that is owed to nobody.
    /// @return amount Balance less everything owed; zero when the token took balance away.
    function surplus() external view returns (uint256 amount);
}
