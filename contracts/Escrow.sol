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

    /// @notice Makes a terms hash unlike any other hash that is signed.
    bytes32 public constant TERMS_TYPEHASH = keccak256(
        "Terms(uint256 chainId,address escrow,address token,bytes32 order,address payee,uint128 amount,"
        "address feeRecipient,uint16 feeBps,uint48 fundBy,uint48 expiry)"
    );

    /// @notice The furthest a hold's expiry can be away when it begins.
    uint256 public constant MAX_DURATION = 400 days;

    /// @notice The most gas one item of `fundBatch` can use: room for the signature check of a contract wallet.
    uint256 public constant FUND_ITEM_GAS = 600_000;

    /// @notice The most gas one item of `releaseBatch` can use: room for three accounts that never had a credit.
    uint256 public constant RELEASE_ITEM_GAS = 150_000;

    uint16 private constant BPS_SCALE = 10_000;
    uint256 private constant MAX_LEGS = 3;
    uint8 private constant CAUSE_RESOLVER = 0;
    uint8 private constant CAUSE_PAYER = 1;
    uint8 private constant CAUSE_PAYEE = 2;

    // First, so that it shares a slot with the times of the pause.
    uint128 private _totalOwed;
    mapping(bytes32 holdId => HoldState state) private _holds;
    mapping(address account => uint256 amount) private _claimable;

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
    ) external override nonReentrant whenNotPaused {
        (bytes32 nonce, bytes32 id) = _openInTime(terms, from);
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
    ) external override nonReentrant whenNotPaused {
        (bytes32 nonce, bytes32 id) = _openInTime(terms, from);
        token.receiveWithAuthorization(from, address(this), terms.amount, validAfter, validBefore, nonce, signature);
        emit Funded(id, terms.order, from, terms, false);
    }

    /// @inheritdoc IEscrow
    function fundBatch(Funding[] calldata fundings) external override whenNotPaused {
        for (uint256 i = 0; i < fundings.length; ++i) {
            Funding calldata item = fundings[i];
            bytes memory call = abi.encodeCall(
                this.fund,
                (item.terms, item.from, item.validAfter, item.validBefore, item.signature)
            );
            (bool success, bytes memory reason) = _tryItem(i, call, FUND_ITEM_GAS);
            if (!success) emit BatchItemFailed(i, holdId(item.terms, item.from), reason);
        }
    }

    /// @inheritdoc IEscrow
    function adopt(Terms calldata terms, address from) external override nonReentrant onlyResolver whenNotPaused {
        if (block.timestamp > terms.expiry) revert HoldExpired(terms.expiry);
        bytes32 nonce = termsHash(terms);
        if (!token.authorizationState(from, nonce)) revert AuthorizationUnused(from, nonce);
        _checkWithinSurplus(terms.amount);
        bytes32 id = _open(terms, from, nonce);
        emit Funded(id, terms.order, from, terms, true);
    }

    /// @inheritdoc IEscrow
    function release(
        Terms calldata terms,
        address payer,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) external override nonReentrant onlyResolver whenNotPaused {
        if (recipients.length == 0 || recipients.length > MAX_LEGS || recipients.length != amounts.length) {
            revert InvalidLegs(recipients.length, amounts.length);
        }
        bytes32 id = _end(terms, payer, HoldState.Released);
        uint256 sum;
        uint256 refund;
        uint256 fee;
        for (uint256 i = 0; i < recipients.length; ++i) {
            address recipient = recipients[i];
            uint256 amount = amounts[i];
            if (amount == 0) revert ZeroAmount();
            if (recipient == payer) refund += amount;
            else if (recipient == terms.feeRecipient) fee += amount;
            else if (recipient != terms.payee) revert InvalidRecipient(recipient);
            sum += amount;
            _credit(recipient, amount);
        }
        if (sum != terms.amount) revert WrongSum(sum, terms.amount);
        uint256 maxFee = _feeOf(terms, sum - refund);
        if (fee > maxFee) revert FeeExceeded(fee, maxFee);
        if (block.timestamp > terms.expiry && refund != sum) revert HoldExpired(terms.expiry);
        emit Released(id, terms.order, payer, recipients, amounts, CAUSE_RESOLVER);
    }

    /// @inheritdoc IEscrow
    function releaseBatch(Release[] calldata releases) external override onlyResolver whenNotPaused {
        for (uint256 i = 0; i < releases.length; ++i) {
            Release calldata item = releases[i];
            bytes memory call = abi.encodeCall(
                this.release,
                (item.terms, item.payer, item.recipients, item.amounts)
            );
            (bool success, bytes memory reason) = _tryItem(i, call, RELEASE_ITEM_GAS);
            if (!success) emit BatchItemFailed(i, holdId(item.terms, item.payer), reason);
        }
    }

    /// @inheritdoc IEscrow
    function releaseByPayer(Terms calldata terms) external override nonReentrant {
        bytes32 id = _end(terms, msg.sender, HoldState.Released);
        uint256 fee = _feeOf(terms, terms.amount);
        uint256 net = terms.amount - fee;
        uint256 payeeLegs = net == 0 ? 0 : 1;
        uint256 legs = fee == 0 ? payeeLegs : payeeLegs + 1;
        address[] memory recipients = new address[](legs);
        uint256[] memory amounts = new uint256[](legs);
        if (net != 0) {
            (recipients[0], amounts[0]) = (terms.payee, net);
            _credit(terms.payee, net);
        }
        if (fee != 0) {
            (recipients[payeeLegs], amounts[payeeLegs]) = (terms.feeRecipient, fee);
            _credit(terms.feeRecipient, fee);
        }
        emit Released(id, terms.order, msg.sender, recipients, amounts, CAUSE_PAYER);
    }

    /// @inheritdoc IEscrow
    function refundByPayee(Terms calldata terms, address payer) external override nonReentrant {
        if (msg.sender != terms.payee) revert NotPayee(msg.sender, terms.payee);
        bytes32 id = _end(terms, payer, HoldState.Released);
        _credit(payer, terms.amount);
        address[] memory recipients = new address[](1);
        uint256[] memory amounts = new uint256[](1);
        (recipients[0], amounts[0]) = (payer, terms.amount);
        emit Released(id, terms.order, payer, recipients, amounts, CAUSE_PAYEE);
    }

    /// @inheritdoc IEscrow
    function reclaim(Terms calldata terms) external override nonReentrant {
        if (block.timestamp <= terms.expiry) revert HoldNotExpired(terms.expiry);
        bytes32 id = _end(terms, msg.sender, HoldState.Reclaimed);
        _credit(msg.sender, terms.amount);
        emit Reclaimed(id, terms.order, msg.sender, terms.amount);
    }

    /// @inheritdoc IEscrow
    function withdraw() external override nonReentrant {
        _withdraw(msg.sender, msg.sender);
    }

    /// @inheritdoc IEscrow
    function withdrawTo(address to) external override nonReentrant {
        if (to == address(0) || to == address(this) || to == address(token)) revert InvalidRecipient(to);
        _withdraw(msg.sender, to);
    }

    /// @inheritdoc IEscrow
    function withdrawFor(address account) external override nonReentrant {
        _withdraw(account, account);
    }

    /// @inheritdoc IEscrow
    function returnStray(
        address from,
        bytes32 nonce,
        uint256 amount
    ) external override nonReentrant onlyResolver whenNotPaused {
        if (amount == 0) revert ZeroAmount();
        if (!token.authorizationState(from, nonce)) revert AuthorizationUnused(from, nonce);
        _checkWithinSurplus(amount);
        _move(_holdId(nonce, from), HoldState.None, HoldState.Returned);
        IERC20(token).safeTransfer(from, amount);
        emit StrayReturned(from, nonce, amount);
    }

    /// @inheritdoc IEscrow
    function stateOf(bytes32 id) external view override returns (HoldState state) {
        return _holds[id];
    }

    /// @inheritdoc IEscrow
    function claimable(address account) external view override returns (uint256 amount) {
        return _claimable[account];
    }

    /// @inheritdoc IEscrow
    function totalOwed() external view override returns (uint256 amount) {
        return _totalOwed;
    }

    /// @inheritdoc IEscrow
    function termsHash(Terms calldata terms) public view override returns (bytes32 hash) {
        return keccak256(abi.encode(TERMS_TYPEHASH, block.chainid, address(this), token, terms));
    }

    /// @inheritdoc IEscrow
    function holdId(Terms calldata terms, address payer) public view override returns (bytes32 id) {
        return _holdId(termsHash(terms), payer);
    }

    /// @dev Opens a hold that is still to be paid. Returns the nonce its payer signed and its id.
    function _openInTime(Terms calldata terms, address payer) private returns (bytes32 nonce, bytes32 id) {
        if (block.timestamp > terms.fundBy) revert FundingClosed(terms.fundBy);
        nonce = termsHash(terms);
        id = _open(terms, payer, nonce);
    }

    /// @dev Opens a hold. Its money is there, or comes in the same call.
    function _open(Terms calldata terms, address payer, bytes32 nonce) private returns (bytes32 id) {
        _checkTerms(terms, payer);
        id = _holdId(nonce, payer);
        _move(id, HoldState.None, HoldState.Held);
        _totalOwed += terms.amount;
    }

    /// @dev Ends a hold. Its amount stays owed: the caller credits all of it.
    function _end(Terms calldata terms, address payer, HoldState state) private returns (bytes32 id) {
        id = _holdId(termsHash(terms), payer);
        _move(id, HoldState.Held, state);
    }

    /// @dev The only place where a hold's state changes.
    function _move(bytes32 id, HoldState expected, HoldState next) private {
        HoldState actual = _holds[id];
        if (actual != expected) revert WrongState(id, actual, expected);
        _holds[id] = next;
    }

    function _credit(address account, uint256 amount) private {
        _claimable[account] += amount;
    }

    /// @dev Pays all of an account's credit to `to`.
    function _withdraw(address account, address to) private {
        uint256 amount = _claimable[account];
        if (amount == 0) revert NothingToWithdraw(account);
        delete _claimable[account];
        // Credit is part of the total, which has this width.
        _totalOwed -= uint128(amount);
        IERC20(token).safeTransfer(to, amount);
        emit Withdrawn(account, to, amount);
    }

    /// @dev Runs one item of a batch as the caller's own call, with its share of gas and no more.
    function _tryItem(
        uint256 index,
        bytes memory call,
        uint256 itemGas
    ) private returns (bool success, bytes memory reason) {
        // A call is given at most 63/64 of what is left (EIP-150): less than its share would fail a sound item.
        uint256 required = itemGas + itemGas / 63 + 10_000;
        if (gasleft() < required) revert InsufficientBatchGas(index, gasleft(), required);
        return address(this).delegatecall{gas: itemGas}(call);
    }

    /// @dev Reverts unless a hold may begin under these terms for this payer.
    function _checkTerms(Terms calldata terms, address payer) private view {
        address payee = terms.payee;
        address feeRecipient = terms.feeRecipient;
        if (payee == address(0) || payee == feeRecipient || _isOurs(payee)) revert InvalidPayee(payee);
        if (_isOurs(feeRecipient) || (feeRecipient == address(0) && terms.feeBps != 0)) {
            revert InvalidFeeRecipient(feeRecipient);
        }
        if (payer == payee || payer == feeRecipient) revert InvalidPayer(payer);
        if (terms.feeBps > BPS_SCALE) revert InvalidFee(terms.feeBps, BPS_SCALE);
        if (terms.amount == 0) revert ZeroAmount();
        uint256 latest = block.timestamp + MAX_DURATION;
        if (terms.expiry <= terms.fundBy || terms.expiry > latest) {
            revert InvalidExpiry(terms.expiry, terms.fundBy, latest);
        }
    }

    /// @dev Whether the address is the escrow or its token, whose credit nobody could withdraw.
    function _isOurs(address account) private view returns (bool yes) {
        return account == address(this) || account == address(token);
    }

    /// @inheritdoc EscrowControls
    function _owed() internal view override returns (uint256) {
        return _totalOwed;
    }

    /// @dev The most the fee can be when `paid` is not refunded.
    function _feeOf(Terms calldata terms, uint256 paid) private pure returns (uint256 fee) {
        return (paid * terms.feeBps) / BPS_SCALE;
    }

    /// @dev A payer's hold, or a sender's stray payment, named by the nonce signed.
    function _holdId(bytes32 nonce, address payer) private pure returns (bytes32 id) {
        return keccak256(abi.encode(nonce, payer));
    }
}
