// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IEscrowControls} from "./interfaces/IEscrowControls.sol";
import {IPaymentToken} from "./interfaces/IPaymentToken.sol";

/// @title EscrowControls
/// @notice The powers over an escrow: who resolves, pauses, rescues, and the delays that bind them.
/// @dev Nothing here can move money that is owed.
abstract contract EscrowControls is IEscrowControls, AccessControlDefaultAdminRules, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @dev An announced rescue.
    struct RescueAnnouncement {
        address to;
        uint48 availableAt;
        uint256 amount;
    }

    /// @dev A resolver and the start of its tenure.
    struct ResolverTenure {
        address account;
        uint48 since;
    }

    /// @notice The role that may pause, unpause, and cancel announcements for stray payments.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice The delay of a change of the default admin.
    uint48 public constant ADMIN_DELAY = 2 days;

    /// @notice The delay of a change of the resolver.
    uint48 public constant RESOLVER_DELAY = 2 days;

    /// @notice The longest duration of a pause.
    uint48 public constant PAUSE_DURATION = 7 days;

    /// @notice The time between the end of a pause and the start of the next.
    uint48 public constant PAUSE_INTERVAL = 30 days;

    /// @notice The delay between the announcement of a rescue and its execution.
    uint48 public constant RESCUE_DELAY = 30 days;

    /// @notice The time in which an announced rescue can be executed.
    uint48 public constant RESCUE_WINDOW = 7 days;

    /// @inheritdoc IEscrowControls
    IPaymentToken public immutable token;

    // The former resolver stays in office until `since` of the latest one.
    ResolverTenure private _formerResolver;
    ResolverTenure private _latestResolver;
    RescueAnnouncement private _rescueAnnouncement;
    uint48 private _pausedUntil;
    uint48 private _pausableFrom;

    modifier onlyResolver() {
        address current = resolver();
        if (msg.sender != current) revert NotResolver(msg.sender, current);
        _;
    }

    modifier whenNotPaused() {
        if (paused()) revert EscrowPaused(_pausedUntil);
        _;
    }

    /// @param token_ The payment token, never to change. It must move exactly the amount it is asked to.
    /// @param admin The default admin.
    /// @param resolver_ The first resolver, at once.
    /// @param pauser The first account with `PAUSER_ROLE`.
    constructor(
        IPaymentToken token_,
        address admin,
        address resolver_,
        address pauser
    ) AccessControlDefaultAdminRules(ADMIN_DELAY, admin) {
        if (address(token_) == address(0)) revert InvalidToken(address(token_));
        if (resolver_ == address(0)) revert InvalidResolver(resolver_);
        token = token_;
        _latestResolver = ResolverTenure({account: resolver_, since: uint48(block.timestamp)});
        _grantRole(PAUSER_ROLE, pauser);
        emit ResolverChangeScheduled(resolver_, uint48(block.timestamp));
    }

    /// @inheritdoc IEscrowControls
    function setResolver(address newResolver) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (newResolver == address(0) || newResolver == _latestResolver.account) revert InvalidResolver(newResolver);
        ResolverTenure memory present = _presentResolver();
        bool cancels = newResolver == present.account;
        uint48 effectiveAt = cancels ? present.since : uint48(block.timestamp) + RESOLVER_DELAY;
        _formerResolver = present;
        _latestResolver = ResolverTenure({account: newResolver, since: effectiveAt});
        emit ResolverChangeScheduled(newResolver, effectiveAt);
    }

    /// @inheritdoc IEscrowControls
    function pause() external onlyRole(PAUSER_ROLE) {
        if (block.timestamp < _pausableFrom) revert PauseTooSoon(_pausableFrom);
        uint48 until = uint48(block.timestamp) + PAUSE_DURATION;
        _pausedUntil = until;
        _pausableFrom = until + PAUSE_INTERVAL;
        emit Paused(until);
    }

    /// @inheritdoc IEscrowControls
    function unpause() external onlyRole(PAUSER_ROLE) {
        if (!paused()) revert NotPaused();
        _pausedUntil = uint48(block.timestamp);
        _pausableFrom = uint48(block.timestamp) + PAUSE_INTERVAL;
        emit Unpaused();
    }

    /// @inheritdoc IEscrowControls
    function announceRescue(address to, uint256 amount) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (_rescueAnnouncement.availableAt != 0) revert RescueAlreadyAnnounced(_rescueAnnouncement.availableAt);
        if (to == address(0) || to == address(this)) revert InvalidRecipient(to);
        _checkWithinSurplus(amount);
        uint48 availableAt = uint48(block.timestamp) + RESCUE_DELAY;
        _rescueAnnouncement = RescueAnnouncement({to: to, availableAt: availableAt, amount: amount});
        emit RescueAnnounced(to, amount, availableAt);
    }

    /// @inheritdoc IEscrowControls
    function cancelRescue() external onlyRole(DEFAULT_ADMIN_ROLE) {
        RescueAnnouncement memory announced = _rescueAnnouncement;
        if (announced.availableAt == 0) revert NoRescueAnnounced();
        delete _rescueAnnouncement;
        emit RescueCancelled(announced.to, announced.amount);
    }

    /// @inheritdoc IEscrowControls
    function rescue() external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        RescueAnnouncement memory announced = _rescueAnnouncement;
        if (announced.availableAt == 0) revert NoRescueAnnounced();
        uint48 lastMoment = announced.availableAt + RESCUE_WINDOW;
        if (block.timestamp < announced.availableAt || block.timestamp > lastMoment) {
            revert OutsideRescueWindow(announced.availableAt, lastMoment);
        }
        _checkWithinSurplus(announced.amount);
        delete _rescueAnnouncement;
        IERC20(token).safeTransfer(announced.to, announced.amount);
        emit Rescued(address(token), announced.to, announced.amount);
    }

    /// @inheritdoc IEscrowControls
    function rescueOther(
        IERC20 other,
        address to,
        uint256 amount
    ) external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        if (address(other) == address(token)) revert AnnouncementRequired(address(other));
        // The other token may be a second address of the payment token, or call it.
        uint256 balanceBefore = token.balanceOf(address(this));
        other.safeTransfer(to, amount);
        uint256 balanceAfter = token.balanceOf(address(this));
        if (balanceAfter != balanceBefore) revert PaymentTokenMoved(balanceBefore, balanceAfter);
        emit Rescued(address(other), to, amount);
    }

    /// @inheritdoc IEscrowControls
    function pendingResolver() external view returns (address newResolver, uint48 effectiveAt) {
        ResolverTenure memory latest = _latestResolver;
        if (block.timestamp < latest.since) return (latest.account, latest.since);
    }

    /// @inheritdoc IEscrowControls
    function pausedUntil() external view returns (uint48 until) {
        return _pausedUntil;
    }

    /// @inheritdoc IEscrowControls
    function pausableFrom() external view returns (uint48 earliest) {
        return _pausableFrom;
    }

    /// @inheritdoc IEscrowControls
    function announcedRescue() external view returns (address to, uint256 amount, uint48 availableAt) {
        return (_rescueAnnouncement.to, _rescueAnnouncement.amount, _rescueAnnouncement.availableAt);
    }

    /// @inheritdoc IEscrowControls
    function resolver() public view returns (address account) {
        return _presentResolver().account;
    }

    /// @inheritdoc IEscrowControls
    function paused() public view returns (bool yes) {
        return block.timestamp < _pausedUntil;
    }

    /// @inheritdoc IEscrowControls
    function surplus() public view returns (uint256 amount) {
        uint256 balance = token.balanceOf(address(this));
        uint256 owed = _owed();
        return balance > owed ? balance - owed : 0;
    }

    /// @dev Returns the time at which the present resolver took office.
    function _resolverSince() internal view returns (uint48 since) {
        return _presentResolver().since;
    }

    /// @dev Reverts when `amount` is above the surplus.
    function _checkWithinSurplus(uint256 amount) internal view {
        uint256 available = surplus();
        if (amount > available) revert SurplusExceeded(amount, available);
    }

    /// @dev Returns everything owed, in micro-units.
    function _owed() internal view virtual returns (uint256);

    /// @dev Returns the resolver in office at this moment.
    function _presentResolver() private view returns (ResolverTenure memory tenure) {
        ResolverTenure memory latest = _latestResolver;
        return block.timestamp >= latest.since ? latest : _formerResolver;
    }
}
