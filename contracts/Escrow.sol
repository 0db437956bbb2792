// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EscrowControls} from "./EscrowControls.sol";
import {IEscrow} from "./interfaces/IEscrow.sol";
import {IPaymentToken} from "./interfaces/IPaymentToken.sol";

/// @title Escrow
/// @notice Holds payments made by EIP-3009 signatures until they are released, refunded or reclaimed.
/// @dev No proxy and no upgrade: a new version is a new contract, and this one keeps paying out.
contract Escrow is IEscrow, EscrowControls {
    using SafeERC20 for IERC20;

    /// @dev The resolver's announcement for a stray payment.
    struct StrayAnnouncement {
        StrayAction action;
        uint48 announcedAt;
        uint256 amount;
    }

    /// @notice Distinguishes a terms hash from any other hash that is signed.
    bytes32 public constant TERMS_TYPEHASH = keccak256(
        "Terms(uint256 chainId,address escrow,address token,bytes32 order,address payee,uint128 amount,"
        "address feeRecipient,uint16 feeBps,uint48 fundBy,uint48 expiry)"
    );

    /// @notice The highest fee that terms can allow, in hundredths of a percent.
    uint16 public constant MAX_FEE_BPS = 1_000;

    /// @notice The furthest a hold's expiry can be away when it begins.
    uint256 public constant MAX_DURATION = 400 days;

    /// @notice The delay between the announcement of an adoption or a return and its execution: longer than
    /// `RESOLVER_DELAY`, so that the resolver can be replaced in time.
    uint48 public constant STRAY_DELAY = 4 days;

    uint256 private constant BPS_SCALE = 10_000;
    uint256 private constant MAX_LEGS = 3;

    /// @inheritdoc IEscrow
    uint256 public immutable chainId = block.chainid;

    mapping(bytes32 holdId => HoldState state) private _holds;
    mapping(bytes32 holdId => StrayAnnouncement announcement) private _strayAnnouncements;
    mapping(address account => uint256 amount) private _claimable;
    uint256 private _totalOwed;

    /// @param token_ The payment token, never to change. It must move exactly the amount it is asked to.
    /// @param admin The default admin.
    /// @param resolver_ The first resolver, at once.
    /// @param pauser The first account with `PAUSER_ROLE`.
    constructor(
        IPaymentToken token_,
        address admin,
        address resolver_,
        address pauser
    ) EscrowControls(token_, admin, resolver_, pauser) {}

    /// @inheritdoc IEscrow
    function fund(
        Terms calldata terms,
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant whenNotPaused {
        (bytes32 nonce, bytes32 id) = _openBeforeDeadline(terms, from);
        token.transferWithAuthorization(from, address(this), terms.amount, validAfter, validBefore, nonce, signature);
        emit Funded(id, terms.order, from, terms, false);
    }

    /// @inheritdoc IEscrow
    function fundWithReceive(
        Terms calldata terms,
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant whenNotPaused {
        (bytes32 nonce, bytes32 id) = _openBeforeDeadline(terms, from);
        token.receiveWithAuthorization(from, address(this), terms.amount, validAfter, validBefore, nonce, signature);
        emit Funded(id, terms.order, from, terms, false);
    }

    /// @inheritdoc IEscrow
    function announceAdopt(Terms calldata terms, address payer) external nonReentrant onlyResolver {
        _checkTerms(terms, payer);
        _checkNotExpired(terms);
        _announceStray(payer, termsHash(terms), StrayAction.Adopt, terms.amount);
    }

    /// @inheritdoc IEscrow
    function adopt(Terms calldata terms, address payer) external nonReentrant onlyResolver whenNotPaused {
        _checkNotExpired(terms);
        bytes32 nonce = termsHash(terms);
        _takeAnnouncement(payer, nonce, StrayAction.Adopt, terms.amount);
        _checkWithinSurplus(terms.amount);
        bytes32 id = _open(nonce, terms, payer);
        emit Funded(id, terms.order, payer, terms, true);
    }

    /// @inheritdoc IEscrow
    function announceReturnStray(
        address from,
        bytes32 nonce,
        uint256 amount
    ) external nonReentrant onlyResolver {
        if (amount == 0) revert ZeroAmount();
        _announceStray(from, nonce, StrayAction.Return, amount);
    }

    /// @inheritdoc IEscrow
    function returnStray(
        address from,
        bytes32 nonce,
        uint256 amount
    ) external nonReentrant onlyResolver whenNotPaused {
        _takeAnnouncement(from, nonce, StrayAction.Return, amount);
        _checkWithinSurplus(amount);
        _transition(_holdId(nonce, from), HoldState.None, HoldState.Returned);
        IERC20(token).safeTransfer(from, amount);
        emit StrayReturned(from, nonce, amount);
    }

    /// @inheritdoc IEscrow
    function cancelStray(address from, bytes32 nonce) external onlyRole(PAUSER_ROLE) {
        bytes32 id = _holdId(nonce, from);
        if (!_isActive(_strayAnnouncements[id])) revert StrayNotAnnounced(from, nonce);
        delete _strayAnnouncements[id];
        emit StrayCancelled(from, nonce);
    }

    /// @inheritdoc IEscrow
    function release(
        Terms calldata terms,
        address payer,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) external nonReentrant onlyResolver whenNotPaused {
        if (recipients.length == 0 || recipients.length > MAX_LEGS || recipients.length != amounts.length) {
            revert InvalidLegs(recipients.length, amounts.length);
        }
        // 1. The hold ends. Its state refuses a second release.
        bytes32 id = _end(terms, payer, HoldState.Released);
        // 2. Each leg is credited to a party of the terms.
        uint256 sum = 0;
        uint256 fee = 0;
        uint256 refund = 0;
        for (uint256 i = 0; i < recipients.length; ++i) {
            (address recipient, uint256 amount) = (recipients[i], amounts[i]);
            if (amount == 0) revert ZeroAmount();
            // Keeps the sum of three amounts far from an overflow.
            if (amount > terms.amount) revert WrongSum(amount, terms.amount);
            if (recipient == terms.feeRecipient) fee += amount;
            else if (recipient == payer) refund += amount;
            else if (recipient != terms.payee) revert InvalidRecipient(recipient);
            sum += amount;
            _claimable[recipient] += amount;
        }
        // 3. The legs are checked as a whole: their sum, the fee, and that only the payer is paid after the
        // expiry.
        if (sum != terms.amount) revert WrongSum(sum, terms.amount);
        uint256 maxFee = _feeOf(terms, sum - refund);
        if (fee > maxFee) revert FeeExceeded(fee, maxFee);
        if (refund != sum) _checkNotExpired(terms);
        emit Released(id, terms.order, payer, recipients, amounts, Cause.Resolver);
    }

    /// @inheritdoc IEscrow
    function releaseByPayer(Terms calldata terms) external nonReentrant {
        bytes32 id = _end(terms, msg.sender, HoldState.Released);
        uint256 fee = _feeOf(terms, terms.amount);
        uint256 net = terms.amount - fee;
        uint256 legs = fee == 0 ? 1 : 2;
        address[] memory recipients = new address[](legs);
        uint256[] memory amounts = new uint256[](legs);
        (recipients[0], amounts[0]) = (terms.payee, net);
        _claimable[terms.payee] += net;
        if (fee != 0) {
            (recipients[1], amounts[1]) = (terms.feeRecipient, fee);
            _claimable[terms.feeRecipient] += fee;
        }
        emit Released(id, terms.order, msg.sender, recipients, amounts, Cause.Payer);
    }

    /// @inheritdoc IEscrow
    function refundByPayee(Terms calldata terms, address payer) external nonReentrant {
        if (msg.sender != terms.payee) revert NotPayee(msg.sender, terms.payee);
        bytes32 id = _end(terms, payer, HoldState.Released);
        _claimable[payer] += terms.amount;
        address[] memory recipients = new address[](1);
        uint256[] memory amounts = new uint256[](1);
        (recipients[0], amounts[0]) = (payer, terms.amount);
        emit Released(id, terms.order, payer, recipients, amounts, Cause.Payee);
    }

    /// @inheritdoc IEscrow
    function reclaim(Terms calldata terms) external nonReentrant {
        if (block.timestamp <= terms.expiry) revert HoldNotExpired(terms.expiry);
        bytes32 id = _end(terms, msg.sender, HoldState.Reclaimed);
        _claimable[msg.sender] += terms.amount;
        emit Reclaimed(id, terms.order, msg.sender, terms.amount);
    }

    /// @inheritdoc IEscrow
    function withdraw() external nonReentrant {
        _withdraw(msg.sender, msg.sender);
    }

    /// @inheritdoc IEscrow
    function withdrawTo(address to) external nonReentrant {
        if (to == address(0) || to == address(this) || to == address(token)) revert InvalidRecipient(to);
        _withdraw(msg.sender, to);
    }

    /// @inheritdoc IEscrow
    function withdrawFor(address account) external nonReentrant {
        _withdraw(account, account);
    }

    /// @inheritdoc IEscrow
    function stateOf(bytes32 id) external view returns (HoldState state) {
        return _holds[id];
    }

    /// @inheritdoc IEscrow
    function announcedStray(
        address from,
        bytes32 nonce
    ) external view returns (StrayAction action, uint256 amount, uint48 availableAt) {
        StrayAnnouncement memory announced = _strayAnnouncements[_holdId(nonce, from)];
        if (_isActive(announced)) return (announced.action, announced.amount, announced.announcedAt + STRAY_DELAY);
    }

    /// @inheritdoc IEscrow
    function claimable(address account) external view returns (uint256 amount) {
        return _claimable[account];
    }

    /// @inheritdoc IEscrow
    function totalOwed() external view returns (uint256 amount) {
        return _totalOwed;
    }

    /// @inheritdoc IEscrow
    function termsHash(Terms calldata terms) public view returns (bytes32 hash) {
        return keccak256(abi.encode(TERMS_TYPEHASH, chainId, address(this), token, terms));
    }

    /// @inheritdoc IEscrow
    function holdId(Terms calldata terms, address payer) public view returns (bytes32 id) {
        return _holdId(termsHash(terms), payer);
    }

    /// @dev Opens a hold until `fundBy`. The caller then collects the payment under the returned nonce.
    function _openBeforeDeadline(Terms calldata terms, address payer) private returns (bytes32 nonce, bytes32 id) {
        if (block.timestamp > terms.fundBy) revert FundingClosed(terms.fundBy);
        nonce = termsHash(terms);
        id = _open(nonce, terms, payer);
    }

    /// @dev Opens a hold whose money is in the escrow already, or is collected in the same call.
    function _open(bytes32 nonce, Terms calldata terms, address payer) private returns (bytes32 id) {
        _checkTerms(terms, payer);
        id = _holdId(nonce, payer);
        _transition(id, HoldState.None, HoldState.Held);
        _totalOwed += terms.amount;
    }

    /// @dev Ends a hold. Its amount stays owed, so the caller must credit all of it.
    function _end(Terms calldata terms, address payer, HoldState state) private returns (bytes32 id) {
        id = holdId(terms, payer);
        _transition(id, HoldState.Held, state);
    }

    /// @dev Changes the state of a hold. Reverts when it is not the expected one.
    function _transition(bytes32 id, HoldState expected, HoldState next) private {
        _checkState(id, expected);
        _holds[id] = next;
    }

    /// @dev Records an announcement. Replaces another one for the same payment.
    function _announceStray(address from, bytes32 nonce, StrayAction action, uint256 amount) private {
        if (!token.authorizationState(from, nonce)) revert AuthorizationUnused(from, nonce);
        bytes32 id = _holdId(nonce, from);
        _checkState(id, HoldState.None);
        StrayAnnouncement memory former = _strayAnnouncements[id];
        if (_isActive(former) && former.action == action && former.amount == amount) {
            revert StrayAlreadyAnnounced(former.announcedAt + STRAY_DELAY);
        }
        uint48 announcedAt = uint48(block.timestamp);
        _strayAnnouncements[id] = StrayAnnouncement({action: action, announcedAt: announcedAt, amount: amount});
        emit StrayAnnounced(from, nonce, action, amount, announcedAt + STRAY_DELAY);
    }

    /// @dev Deletes an announcement that is executed now. Reverts unless exactly this is announced and due.
    function _takeAnnouncement(address from, bytes32 nonce, StrayAction action, uint256 amount) private {
        bytes32 id = _holdId(nonce, from);
        StrayAnnouncement memory announced = _strayAnnouncements[id];
        if (!_isActive(announced) || announced.action != action || announced.amount != amount) {
            revert StrayNotAnnounced(from, nonce);
        }
        uint48 availableAt = announced.announcedAt + STRAY_DELAY;
        if (block.timestamp < availableAt) revert StrayNotAvailable(availableAt);
        delete _strayAnnouncements[id];
    }

    /// @dev Pays all of an account's credit to `to`.
    function _withdraw(address account, address to) private {
        uint256 amount = _claimable[account];
        if (amount == 0) revert NothingToWithdraw(account);
        _claimable[account] = 0;
        _totalOwed -= amount;
        IERC20(token).safeTransfer(to, amount);
        emit Withdrawn(account, to, amount);
    }

    /// @dev Reverts unless a hold can begin under these terms for this payer at this moment.
    function _checkTerms(Terms calldata terms, address payer) private view {
        (address payee, address feeRecipient) = (terms.payee, terms.feeRecipient);
        if (payee == address(0) || payee == feeRecipient || _isOurs(payee)) revert InvalidPayee(payee);
        bool lacksFeeRecipient = feeRecipient == address(0) && terms.feeBps != 0;
        if (lacksFeeRecipient || _isOurs(feeRecipient)) revert InvalidFeeRecipient(feeRecipient);
        if (payer == payee || payer == feeRecipient) revert InvalidPayer(payer);
        if (terms.feeBps > MAX_FEE_BPS) revert InvalidFee(terms.feeBps, MAX_FEE_BPS);
        if (terms.amount == 0) revert ZeroAmount();
        uint256 latest = block.timestamp + MAX_DURATION;
        if (terms.expiry <= terms.fundBy || terms.expiry > latest) {
            revert InvalidExpiry(terms.expiry, terms.fundBy, latest);
        }
    }

    /// @dev Reverts after the expiry of the terms.
    function _checkNotExpired(Terms calldata terms) private view {
        if (block.timestamp > terms.expiry) revert HoldExpired(terms.expiry);
    }

    /// @dev Reverts when the state of a hold is not the expected one.
    function _checkState(bytes32 id, HoldState expected) private view {
        HoldState actual = _holds[id];
        if (actual != expected) revert WrongState(id, actual, expected);
    }

    /// @dev Returns whether something is announced by the resolver who is still in office.
    function _isActive(StrayAnnouncement memory announced) private view returns (bool yes) {
        return announced.action != StrayAction.None && announced.announcedAt >= _resolverSince();
    }

    /// @dev Returns whether the address is the escrow or its token, whose credit nobody could withdraw.
    function _isOurs(address account) private view returns (bool yes) {
        return account == address(this) || account == address(token);
    }

    /// @inheritdoc EscrowControls
    function _owed() internal view override returns (uint256) {
        return _totalOwed;
    }

    /// @dev Returns the maximum fee when `paid` is not refunded.
    function _feeOf(Terms calldata terms, uint256 paid) private pure returns (uint256 fee) {
        return (paid * terms.feeBps) / BPS_SCALE;
    }

    /// @dev Returns the id of a payer's hold, or of a sender's stray payment, by the signed nonce.
    function _holdId(bytes32 nonce, address payer) private pure returns (bytes32 id) {
        return keccak256(abi.encode(nonce, payer));
    }
}
