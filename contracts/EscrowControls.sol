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

    /// @dev What `announceRescue` recorded.
    struct Announcement {
        address to;
        uint48 availableAt;
        uint256 amount;
    }

    /// @dev A resolver, and when it takes office.
    struct ResolverTerm {
        address account;
        uint48 since;
    }

    /// @notice Who may pause, unpause, and cancel what is announced for stray payments.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice The delay of a change of the default admin.
    uint48 public constant ADMIN_DELAY = 2 days;

    /// @notice The delay of a change of the resolver.
    uint48 public constant RESOLVER_DELAY = 2 days;

    /// @notice How long a pause lasts at most.
    uint48 public constant PAUSE_DURATION = 7 days;

    /// @notice How long after the end of a pause the next can begin.
    uint48 public constant PAUSE_INTERVAL = 30 days;

    /// @notice How long after its announcement a rescue can be done.
    uint48 public constant RESCUE_DELAY = 30 days;

    /// @notice How long a rescue stays possible.
    uint48 public constant RESCUE_WINDOW = 7 days;

    /// @inheritdoc IEscrowControls
    IPaymentToken public immutable override token;

    // The former one stays in office until the latest one's `since`.
    ResolverTerm private _formerResolver;
    ResolverTerm private _latestResolver;
    Announcement private _announcement;
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
        _latestResolver = ResolverTerm({account: resolver_, since: uint48(block.timestamp)});
        _grantRole(PAUSER_ROLE, pauser);
        emit ResolverChangeScheduled(resolver_, uint48(block.timestamp));
    }

    /// @inheritdoc IEscrowControls
    function setResolver(address newResolver) external override onlyRole(DEFAULT_ADMIN_ROLE) {
        if (newResolver == address(0) || newResolver == _latestResolver.account) revert InvalidResolver(newResolver);
        ResolverTerm memory present = _presentResolver();
        bool cancels = newResolver == present.account;
        uint48 effectiveAt = cancels ? present.since : uint48(block.timestamp) + RESOLVER_DELAY;
        _formerResolver = present;
        _latestResolver = ResolverTerm({account: newResolver, since: effectiveAt});
        emit ResolverChangeScheduled(newResolver, effectiveAt);
    }

    /// @inheritdoc IEscrowControls
    function pause() external override onlyRole(PAUSER_ROLE) {
        if (block.timestamp < _pausableFrom) revert PauseTooSoon(_pausableFrom);
        uint48 until = uint48(block.timestamp) + PAUSE_DURATION;
        _pausedUntil = until;
        _pausableFrom = until + PAUSE_INTERVAL;
        emit Paused(until);
    }

    /// @inheritdoc IEscrowControls
    function unpause() external override onlyRole(PAUSER_ROLE) {
        if (!paused()) revert NotPaused();
        _pausedUntil = uint48(block.timestamp);
        _pausableFrom = uint48(block.timestamp) + PAUSE_INTERVAL;
        emit Unpaused();
    }

    /// @inheritdoc IEscrowControls
    function announceRescue(address to, uint256 amount) external override onlyRole(DEFAULT_ADMIN_ROLE) {
        if (_announcement.availableAt != 0) revert RescueAlreadyAnnounced(_announcement.availableAt);
        if (to == address(0) || to == address(this)) revert InvalidRecipient(to);
        _checkWithinSurplus(amount);
        uint48 availableAt = uint48(block.timestamp) + RESCUE_DELAY;
        _announcement = Announcement({to: to, availableAt: availableAt, amount: amount});
        emit RescueAnnounced(to, amount, availableAt);
    }

    /// @inheritdoc IEscrowControls
    function cancelRescue() external override onlyRole(DEFAULT_ADMIN_ROLE) {
        Announcement memory announced = _announcement;
        if (announced.availableAt == 0) revert NoRescueAnnounced();
        delete _announcement;
        emit RescueCancelled(announced.to, announced.amount);
    }

    /// @inheritdoc IEscrowControls
    function rescue() external override nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        Announcement memory announced = _announcement;
        if (announced.availableAt == 0) revert NoRescueAnnounced();
        uint48 lastMoment = announced.availableAt + RESCUE_WINDOW;
        if (block.timestamp < announced.availableAt || block.timestamp > lastMoment) {
            revert OutsideRescueWindow(announced.availableAt, lastMoment);
        }
        _checkWithinSurplus(announced.amount);
        delete _announcement;
        IERC20(token).safeTransfer(announced.to, announced.amount);
        emit Rescued(address(token), announced.to, announced.amount);
    }

    /// @inheritdoc IEscrowControls
    function rescueOther(
        IERC20 other,
        address to,
        uint256 amount
    ) external override nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        if (address(other) == address(token)) revert AnnouncementRequired(address(other));
        // The other token may be a second address of the payment token, or call it.
        uint256 balanceBefore = token.balanceOf(address(this));
        other.safeTransfer(to, amount);
        uint256 balanceAfter = token.balanceOf(address(this));
        if (balanceAfter != balanceBefore) revert PaymentTokenMoved(balanceBefore, balanceAfter);
        emit Rescued(address(other), to, amount);
    }

    /// @inheritdoc IEscrowControls
    function pendingResolver() external view override returns (address newResolver, uint48 effectiveAt) {
        ResolverTerm memory latest = _latestResolver;
        if (block.timestamp < latest.since) return (latest.account, latest.since);
    }

    /// @inheritdoc IEscrowControls
    function pausedUntil() external view override returns (uint48 until) {
        return _pausedUntil;
    }

    /// @inheritdoc IEscrowControls
    function pausableFrom() external view override returns (uint48 earliest) {
        return _pausableFrom;
    }

    /// @inheritdoc IEscrowControls
    function announcedRescue() external view override returns (address to, uint256 amount, uint48 availableAt) {
        return (_announcement.to, _announcement.amount, _announcement.availableAt);
    }

    /// @inheritdoc IEscrowControls
    function resolver() public view override returns (address account) {
        return _presentResolver().account;
    }

    /// @inheritdoc IEscrowControls
    function paused() public view override returns (bool yes) {
        return block.timestamp < _pausedUntil;
    }

    /// @inheritdoc IEscrowControls
    function surplus() public view override returns (uint256 amount) {
        uint256 balance = token.balanceOf(address(this));
        uint256 owed = _owed();
        return balance > owed ? balance - owed : 0;
    }

    /// @dev When the present resolver took office.
    function _resolverSince() internal view returns (uint48 since) {
        return _presentResolver().since;
    }

    /// @dev Reverts when `amount` is more than is there and owed to nobody.
    function _checkWithinSurplus(uint256 amount) internal view {
        uint256 available = surplus();
        if (amount > available) revert SurplusExceeded(amount, available);
    }

    /// @dev Everything owed, in micro-units.
    function _owed() internal view virtual returns (uint256);

    /// @dev The resolver in office at this moment.
    function _presentResolver() private view returns (ResolverTerm memory term) {
        ResolverTerm memory latest = _latestResolver;
        return block.timestamp >= latest.since ? latest : _formerResolver;
    }
}
