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

    /// @dev What `announceRescue` wrote down.
    struct Announcement {
        address to;
        uint48 availableAt;
        uint256 amount;
    }

    /// @notice Who may pause and unpause.
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

    // The present resolver and the time of the next change share a slot: the next resolver is read only when it is due.
    address private _resolver;
    uint48 private _resolverChangesAt;
    address private _nextResolver;
    Announcement private _announcement;

    // Last, so that they share a slot with the total the escrow reads whenever it reads these.
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
        _resolver = resolver_;
        _grantRole(PAUSER_ROLE, pauser);
        emit ResolverChangeScheduled(resolver_, uint48(block.timestamp));
    }

    /// @inheritdoc IEscrowControls
    function setResolver(address newResolver) external override onlyRole(DEFAULT_ADMIN_ROLE) {
        if (newResolver == address(0)) revert InvalidResolver(newResolver);
        uint48 effectiveAt = uint48(block.timestamp) + RESOLVER_DELAY;
        _resolver = resolver();
        _nextResolver = newResolver;
        _resolverChangesAt = effectiveAt;
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
        other.safeTransfer(to, amount);
        emit Rescued(address(other), to, amount);
    }

    /// @inheritdoc IEscrowControls
    function pendingResolver() external view override returns (address newResolver, uint48 effectiveAt) {
        if (block.timestamp < _resolverChangesAt) return (_nextResolver, _resolverChangesAt);
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
        bool changed = _resolverChangesAt != 0 && block.timestamp >= _resolverChangesAt;
        return changed ? _nextResolver : _resolver;
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

    /// @dev Reverts when `amount` is more than is there and owed to nobody.
    function _checkWithinSurplus(uint256 amount) internal view {
        uint256 available = surplus();
        if (amount > available) revert SurplusExceeded(amount, available);
    }

    /// @dev Everything owed, in micro-units.
    function _owed() internal view virtual returns (uint256);
}
