// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
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

    /// @notice The most gas the token can use for one item of `fundBatch`: room for a contract wallet's signature check.
    uint256 public constant FUND_ITEM_GAS = 600_000;

    // A call is given at most 63/64 of what is left (EIP-150): less than its share would fail a sound item.
    uint256 private constant GAS_BEFORE_TOKEN = FUND_ITEM_GAS + FUND_ITEM_GAS / 63 + 10_000;
    uint16 private constant BPS_SCALE = 10_000;
    uint256 private constant MAX_LEGS = 3;
    uint8 private constant CAUSE_RESOLVER = 0;
    uint8 private constant CAUSE_PAYER = 1;
    uint8 private constant CAUSE_PAYEE = 2;

    // First, so that it shares a slot with the times of the pause.
    uint160 private _totalOwed;
    // A state has a slot to itself as a whole word, so that it is written without being read.
    mapping(bytes32 holdId => uint256 state) private _holds;
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
        Terms memory terms,
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
        Terms memory terms,
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
    function fundBatch(Funding[] calldata fundings) external override nonReentrant whenNotPaused {
        uint256 funded = 0;
        // No overflow: as in _owe. Counted once for all of them, as nobody else comes in before the end.
        unchecked {
            for (uint256 i = 0; i < fundings.length; ++i) funded += _fundItem(i, fundings[i]);
        }
        _owe(funded);
    }

    /// @inheritdoc IEscrow
    function adopt(Terms memory terms, address from) external override nonReentrant onlyResolver whenNotPaused {
        if (block.timestamp > terms.expiry) revert HoldExpired(terms.expiry);
        bytes32 nonce = termsHash(terms);
        if (!token.authorizationState(from, nonce)) revert AuthorizationUnused(from, nonce);
        _checkWithinSurplus(terms.amount);
        bytes32 id = _holdId(nonce, from);
        _revertIf(_openRefusal(id, terms, from));
        _open(id, terms.amount);
        emit Funded(id, terms.order, from, terms, true);
    }

    /// @inheritdoc IEscrow
    function release(
        Terms memory terms,
        address payer,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) external override nonReentrant onlyResolver whenNotPaused {
        _revertIf(_tryRelease(holdId(terms, payer), terms, payer, recipients, amounts));
    }

    /// @inheritdoc IEscrow
    function releaseBatch(Release[] calldata releases) external override nonReentrant onlyResolver whenNotPaused {
        for (uint256 i = 0; i < releases.length; ++i) {
            Release calldata item = releases[i];
            (Terms memory terms, address payer) = (item.terms, item.payer);
            bytes32 id = holdId(terms, payer);
            bytes memory refusal = _tryRelease(id, terms, payer, item.recipients, item.amounts);
            if (refusal.length != 0) emit BatchItemFailed(i, id, refusal);
        }
    }

    /// @inheritdoc IEscrow
    function releaseByPayer(Terms memory terms) external override nonReentrant {
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
    function refundByPayee(Terms memory terms, address payer) external override nonReentrant {
        if (msg.sender != terms.payee) revert NotPayee(msg.sender, terms.payee);
        bytes32 id = _end(terms, payer, HoldState.Released);
        _credit(payer, terms.amount);
        address[] memory recipients = new address[](1);
        uint256[] memory amounts = new uint256[](1);
        (recipients[0], amounts[0]) = (payer, terms.amount);
        emit Released(id, terms.order, payer, recipients, amounts, CAUSE_PAYEE);
    }

    /// @inheritdoc IEscrow
    function reclaim(Terms memory terms) external override nonReentrant {
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
        return HoldState(_holds[id]);
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
    function termsHash(Terms memory terms) public view override returns (bytes32 hash) {
        return keccak256(abi.encode(TERMS_TYPEHASH, block.chainid, address(this), token, terms));
    }

    /// @inheritdoc IEscrow
    function holdId(Terms memory terms, address payer) public view override returns (bytes32 id) {
        return _holdId(termsHash(terms), payer);
    }

    /// @dev Funds one item of a batch and returns what is owed for it. Where its terms or the token refuse it, says so and
    /// leaves nothing behind.
    function _fundItem(uint256 index, Funding calldata item) private returns (uint256 funded) {
        (Terms memory terms, address from) = (item.terms, item.from);
        bytes32 nonce = termsHash(terms);
        bytes32 id = _holdId(nonce, from);
        bytes memory refusal = block.timestamp > terms.fundBy
            ? abi.encodeWithSelector(FundingClosed.selector, terms.fundBy)
            : _openRefusal(id, terms, from);
        if (refusal.length != 0) {
            emit BatchItemFailed(index, id, refusal);
            return 0;
        }
        _holds[id] = uint256(HoldState.Held);
        if (gasleft() < GAS_BEFORE_TOKEN) revert InsufficientBatchGas(index, gasleft(), GAS_BEFORE_TOKEN);
        try
            token.transferWithAuthorization{gas: FUND_ITEM_GAS}(
                from,
                address(this),
                terms.amount,
                item.validAfter,
                item.validBefore,
                nonce,
                item.signature
            )
        {
            funded = terms.amount;
            emit Funded(id, terms.order, from, terms, false);
        } catch (bytes memory reason) {
            _holds[id] = uint256(HoldState.None);
            emit BatchItemFailed(index, id, reason);
        }
    }

    /// @dev Opens a hold that is still to be paid. Returns the nonce its payer signed and its id.
    function _openInTime(Terms memory terms, address payer) private returns (bytes32 nonce, bytes32 id) {
        if (block.timestamp > terms.fundBy) revert FundingClosed(terms.fundBy);
        nonce = termsHash(terms);
        id = _holdId(nonce, payer);
        _revertIf(_openRefusal(id, terms, payer));
        _open(id, terms.amount);
    }

    /// @dev Opens a hold. Its money is there, or comes in the same call.
    function _open(bytes32 id, uint128 amount) private {
        _holds[id] = uint256(HoldState.Held);
        _owe(amount);
    }

    /// @dev Adds to the total owed.
    function _owe(uint256 amount) private {
        // No overflow: it has room for four billion holds of the largest amount.
        unchecked {
            _totalOwed += uint160(amount);
        }
    }

    /// @dev Releases a hold, or changes nothing and answers the refusal.
    function _tryRelease(
        bytes32 id,
        Terms memory terms,
        address payer,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) private returns (bytes memory refusal) {
        if (recipients.length == 0 || recipients.length > MAX_LEGS || recipients.length != amounts.length) {
            return abi.encodeWithSelector(InvalidLegs.selector, recipients.length, amounts.length);
        }
        if (_holds[id] != uint256(HoldState.Held)) {
            return abi.encodeWithSelector(WrongState.selector, id, _holds[id], HoldState.Held);
        }
        address payee = terms.payee;
        (uint256 refund, uint256 fee, uint256 net) = (0, 0, 0);
        // Nothing overflows: an amount that is counted has 128 bits, there are three at most, and a rate has 16.
        unchecked {
            for (uint256 i = 0; i < recipients.length; ++i) {
                (address recipient, uint256 amount) = (recipients[i], amounts[i]);
                if (amount == 0) return abi.encodeWithSelector(ZeroAmount.selector);
                if (amount > terms.amount) return abi.encodeWithSelector(WrongSum.selector, amount, terms.amount);
                if (recipient == payee) net += amount;
                else if (recipient == terms.feeRecipient) fee += amount;
                else if (recipient == payer) refund += amount;
                else return abi.encodeWithSelector(InvalidRecipient.selector, recipient);
            }
            uint256 paid = net + fee;
            uint256 sum = paid + refund;
            uint256 maxFee = (paid * terms.feeBps) / BPS_SCALE;
            if (sum != terms.amount) return abi.encodeWithSelector(WrongSum.selector, sum, terms.amount);
            if (fee > maxFee) return abi.encodeWithSelector(FeeExceeded.selector, fee, maxFee);
            if (block.timestamp > terms.expiry && paid != 0) {
                return abi.encodeWithSelector(HoldExpired.selector, terms.expiry);
            }
        }
        _holds[id] = uint256(HoldState.Released);
        if (refund != 0) _credit(payer, refund);
        if (fee != 0) _credit(terms.feeRecipient, fee);
        if (net != 0) _credit(payee, net);
        emit Released(id, terms.order, payer, recipients, amounts, CAUSE_RESOLVER);
    }

    /// @dev Ends a hold. Its amount stays owed: the caller credits all of it.
    function _end(Terms memory terms, address payer, HoldState state) private returns (bytes32 id) {
        id = _holdId(termsHash(terms), payer);
        _move(id, HoldState.Held, state);
    }

    /// @dev Changes a hold's state, or reverts when it has another than expected.
    function _move(bytes32 id, HoldState expected, HoldState next) private {
        HoldState actual = HoldState(_holds[id]);
        if (actual != expected) revert WrongState(id, actual, expected);
        _holds[id] = uint256(next);
    }

    function _credit(address account, uint256 amount) private {
        // No overflow: all credit is part of the total owed.
        unchecked {
            _claimable[account] += amount;
        }
    }

    /// @dev Pays all of an account's credit to `to`.
    function _withdraw(address account, address to) private {
        uint256 amount = _claimable[account];
        if (amount == 0) revert NothingToWithdraw(account);
        delete _claimable[account];
        // Credit is part of the total, which has this width.
        _totalOwed -= uint160(amount);
        IERC20(token).safeTransfer(to, amount);
        emit Withdrawn(account, to, amount);
    }

    /// @dev Why a hold cannot begin under these terms for this payer. Empty where it can.
    function _openRefusal(bytes32 id, Terms memory terms, address payer) private view returns (bytes memory refusal) {
        address payee = terms.payee;
        address feeRecipient = terms.feeRecipient;
        if (payee == address(0) || payee == feeRecipient || _isOurs(payee)) {
            return abi.encodeWithSelector(InvalidPayee.selector, payee);
        }
        if (_isOurs(feeRecipient) || (feeRecipient == address(0) && terms.feeBps != 0)) {
            return abi.encodeWithSelector(InvalidFeeRecipient.selector, feeRecipient);
        }
        if (payer == payee || payer == feeRecipient) return abi.encodeWithSelector(InvalidPayer.selector, payer);
        if (terms.feeBps > BPS_SCALE) return abi.encodeWithSelector(InvalidFee.selector, terms.feeBps, BPS_SCALE);
        if (terms.amount == 0) return abi.encodeWithSelector(ZeroAmount.selector);
        uint256 latest;
        // No overflow: both are times.
        unchecked {
            latest = block.timestamp + MAX_DURATION;
        }
        if (terms.expiry <= terms.fundBy || terms.expiry > latest) {
            return abi.encodeWithSelector(InvalidExpiry.selector, terms.expiry, terms.fundBy, latest);
        }
        if (_holds[id] != uint256(HoldState.None)) {
            return abi.encodeWithSelector(WrongState.selector, id, _holds[id], HoldState.None);
        }
    }

    /// @dev A refusal is an error as a revert returns it: a batch reports it and goes on, a call of its own reverts with it.
    function _revertIf(bytes memory refusal) private pure {
        if (refusal.length != 0) LowLevelCall.bubbleRevert(refusal);
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
    function _feeOf(Terms memory terms, uint256 paid) private pure returns (uint256 fee) {
        return (paid * terms.feeBps) / BPS_SCALE;
    }

    /// @dev A payer's hold, or a sender's stray payment, named by the nonce signed.
    function _holdId(bytes32 nonce, address payer) private pure returns (bytes32 id) {
        return Hashes.efficientKeccak256(nonce, bytes32(uint256(uint160(payer))));
    }
}
