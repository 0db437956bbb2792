// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrowControls} from "./IEscrowControls.sol";

/// @title IEscrow
/// @notice Holds a buyer's payment until it is released, then the credit of each account until it is
/// withdrawn.
/// @dev Times are unix seconds, amounts are micro-units of the payment token. A hold passes once from `None`
/// to `Held` to one of the final states. Releases and reclaims only credit accounts. Tokens leave by
/// withdrawals, by `returnStray`, and by an announced rescue of the surplus.
interface IEscrow is IEscrowControls {
    /// @notice The terms of a payment. Their hash is the nonce that the payer signs.
    /// @dev Every field is part of the hash, together with `chainId()`, the escrow and the token.
    /// @param order The key of the order.
    /// @param payee The account that delivers and is paid.
    /// @param amount The amount of the hold.
    /// @param feeRecipient The account that gets the service's fee. May be zero when `feeBps` is.
    /// @param feeBps The highest fee, in hundredths of a percent of the part that is not refunded. At most
    /// `MAX_FEE_BPS`.
    /// @param fundBy The last moment to fund the hold.
    /// @param expiry The last moment to release the hold to others than the payer. Afterwards the payer can
    /// reclaim it.
    struct Terms {
        bytes32 order;
        address payee;
        uint128 amount;
        address feeRecipient;
        uint16 feeBps;
        uint48 fundBy;
        uint48 expiry;
    }

    /// @notice The state of a hold. `Returned` marks a stray payment that went back to its sender.
    enum HoldState {
        None,
        Held,
        Released,
        Reclaimed,
        Returned
    }

    /// @notice The action that the resolver has announced for a stray payment.
    enum StrayAction {
        None,
        Adopt,
        Return
    }

    /// @notice The party that ended a hold: the resolver by `release`, the payer by `releaseByPayer`, the
    /// payee by `refundByPayee`.
    enum Cause {
        Resolver,
        Payer,
        Payee
    }

    /// @notice Emitted when a hold begins.
    /// @dev Unless `adopted`, the two logs before it are `AuthorizationUsed` and `Transfer` of the payment,
    /// by the token.
    /// @param holdId The hold.
    /// @param order The key of the order.
    /// @param payer The account that paid.
    /// @param terms The terms of the payment.
    /// @param adopted True when the payment had reached the escrow earlier.
    event Funded(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, Terms terms, bool adopted);

    /// @notice Emitted when a party or the resolver ends a hold, and its amount is credited.
    /// @param holdId The hold.
    /// @param order The key of the order.
    /// @param payer The account that paid.
    /// @param recipients The credited accounts.
    /// @param amounts The credit of each. They sum to the hold.
    /// @param cause The party that ended the hold.
    event Released(
        bytes32 indexed holdId,
        bytes32 indexed order,
        address indexed payer,
        address[] recipients,
        uint256[] amounts,
        Cause cause
    );

    /// @notice Emitted when the payer takes an expired hold back. Its whole amount is credited to the payer.
    /// @param holdId The hold.
    /// @param order The key of the order.
    /// @param payer The account that paid and is credited.
    /// @param amount The credited amount.
    event Reclaimed(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, uint256 amount);

    /// @notice Emitted when an account is paid its whole credit.
    /// @param account The account whose credit is paid.
    /// @param to The recipient of the tokens: `account`, or its own choice.
    /// @param amount The credit: all that events credited since the last withdrawal.
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    /// @notice Emitted when a stray payment goes back to its sender.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment. No hold can use it any more.
    /// @param amount The returned amount.
    event StrayReturned(address indexed from, bytes32 indexed nonce, uint256 amount);

    /// @notice Emitted when the resolver announces an action for a stray payment. It replaces an earlier
    /// announcement.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @param action `Adopt` or `Return`.
    /// @param amount The amount to hold or return.
    /// @param availableAt The first moment at which it can be executed.
    event StrayAnnounced(
        address indexed from,
        bytes32 indexed nonce,
        StrayAction action,
        uint256 amount,
        uint48 availableAt
    );

    /// @notice Emitted when the pauser cancels the announcement for a stray payment.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    event StrayCancelled(address indexed from, bytes32 indexed nonce);

    /// @notice Thrown when the payee is zero, the escrow, the token or the fee recipient.
    /// @param payee The address refused.
    error InvalidPayee(address payee);

    /// @notice Thrown when the payer is the payee or the fee recipient.
    /// @param payer The address refused.
    error InvalidPayer(address payer);

    /// @notice Thrown when the fee recipient is the escrow or the token, or zero while there is a fee.
    /// @param feeRecipient The address refused.
    error InvalidFeeRecipient(address feeRecipient);

    /// @notice Thrown when the fee in the terms is above the cap.
    /// @param feeBps The fee in the terms.
    /// @param max `MAX_FEE_BPS`.
    error InvalidFee(uint16 feeBps, uint16 max);

    /// @notice Thrown when an amount is zero.
    error ZeroAmount();

    /// @notice Thrown when the expiry is not after `fundBy`, or is too far away.
    /// @param expiry The expiry in the terms.
    /// @param fundBy The last moment of funding.
    /// @param latest The latest expiry allowed at this moment.
    error InvalidExpiry(uint48 expiry, uint48 fundBy, uint256 latest);

    /// @notice Thrown when `fundBy` has passed.
    /// @param fundBy The last moment to fund the hold.
    error FundingClosed(uint48 fundBy);

    /// @notice Thrown when the expiry has passed and others than the payer would be credited.
    /// @param expiry The expiry in the terms.
    error HoldExpired(uint48 expiry);

    /// @notice Thrown when the expiry has not passed.
    /// @param expiry The last moment at which the hold cannot be reclaimed.
    error HoldNotExpired(uint48 expiry);

    /// @notice Thrown when the state of a hold is not the required one.
    /// @param holdId The hold.
    /// @param actual Its state.
    /// @param expected The required state.
    error WrongState(bytes32 holdId, HoldState actual, HoldState expected);

    /// @notice Thrown when the token reports that an authorization is unused.
    /// @param from The signer.
    /// @param nonce The nonce.
    error AuthorizationUnused(address from, bytes32 nonce);

    /// @notice Thrown when the caller is not the payee of the terms.
    /// @param caller The caller.
    /// @param payee The payee.
    error NotPayee(address caller, address payee);

    /// @notice Thrown when there are not one to three recipients with one amount each.
    /// @param recipients The number of recipients.
    /// @param amounts The number of amounts.
    error InvalidLegs(uint256 recipients, uint256 amounts);

    /// @notice Thrown when the amounts do not sum to the hold.
    /// @param sum Their sum, or the first amount that is above the hold by itself.
    /// @param amount The amount of the hold.
    error WrongSum(uint256 sum, uint256 amount);

    /// @notice Thrown when the fee is above the maximum of the terms.
    /// @param fee The requested fee.
    /// @param max The maximum with this refund.
    error FeeExceeded(uint256 fee, uint256 max);

    /// @notice Thrown when the account has no credit.
    /// @param account The account.
    error NothingToWithdraw(address account);

    /// @notice Thrown when this action with this amount is not announced, or not any more.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    error StrayNotAnnounced(address from, bytes32 nonce);

    /// @notice Thrown when this action with this amount is announced already.
    /// @param availableAt The first moment at which it can be executed.
    error StrayAlreadyAnnounced(uint48 availableAt);

    /// @notice Thrown when the delay of an announcement has not passed.
    /// @param availableAt The first moment at which it can be executed.
    error StrayNotAvailable(uint48 availableAt);

    /// @notice Collects a signed payment and holds it. Anyone may submit it: the signature is for these terms
    /// alone.
    /// @dev The EIP-3009 nonce is `termsHash(terms)`, the recipient this contract, the value `terms.amount`.
    ///
    /// Requirements:
    /// - The escrow is not paused.
    /// - `payee` is not zero, the escrow, the token or the fee recipient; `from` is not the payee or the fee
    ///   recipient.
    /// - `feeBps` is at most `MAX_FEE_BPS`.
    /// - `now <= fundBy < expiry <= now + 400 days`.
    /// - The token accepts the authorization.
    /// @param terms The terms of the payment.
    /// @param from The payer, as the signer of the authorization.
    /// @param validAfter As signed.
    /// @param validBefore As signed.
    /// @param signature The payer's `TransferWithAuthorization` (EIP-3009): 65 bytes, or what an ERC-1271
    /// wallet takes.
    function fund(
        Terms calldata terms,
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external;

    /// @notice Like `fund`, with a signature that only this contract can submit to the token.
    /// @param terms The terms of the payment.
    /// @param from The payer, as the signer of the authorization.
    /// @param validAfter As signed.
    /// @param validBefore As signed.
    /// @param signature The payer's `ReceiveWithAuthorization` (EIP-3009).
    function fundWithReceive(
        Terms calldata terms,
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external;

    /// @notice Announces that a stray payment will be adopted, from `STRAY_DELAY` on.
    /// @dev A stray payment is a signed transfer that a third party submitted to the token itself: it reached
    /// the escrow without `fund`. A used authorization does not prove a payment: it may have been cancelled,
    /// or have paid someone else. The resolver must have seen `AuthorizationUsed` and `Transfer` to the
    /// escrow in adjacent logs.
    ///
    /// An announcement reserves nothing. It ends when the pauser cancels it, when another resolver takes
    /// office, or when the resolver announces something else for the same sender and nonce.
    ///
    /// Requirements:
    /// - The caller is the resolver.
    /// - The terms are as `fund` requires them, except that `fundBy` may have passed; `expiry` may not.
    /// - The authorization with nonce `termsHash(terms)` is spent, and its hold is `None`.
    /// - The same is not announced already.
    /// @param terms The terms of the payment.
    /// @param payer The sender of the payment.
    function announceAdopt(Terms calldata terms, address payer) external;

    /// @notice Holds a stray payment, as announced.
    /// @dev Requirements:
    /// - The caller is the resolver, and the escrow is not paused.
    /// - `announceAdopt` with these arguments is in force, and its delay has passed.
    /// - The terms are as `fund` requires them, except that `fundBy` may have passed; `expiry` may not.
    /// - The hold is `None`.
    /// - The amount is within the surplus.
    /// @param terms The terms of the payment.
    /// @param payer The sender of the payment.
    function adopt(Terms calldata terms, address payer) external;

    /// @notice Announces that a stray payment will be returned to its sender, from `STRAY_DELAY` on.
    /// @dev The resolver must have seen the payment's events, as for `announceAdopt`; the announcement ends
    /// as that one does.
    ///
    /// Requirements:
    /// - The caller is the resolver.
    /// - The authorization is spent, and its hold is `None`.
    /// - The amount is not zero.
    /// - The same is not announced already.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @param amount The paid amount.
    function announceReturnStray(address from, bytes32 nonce, uint256 amount) external;

    /// @notice Returns a stray payment to its sender, as announced.
    /// @dev Uses up the pair of sender and nonce: a payment is funded, adopted or returned, and never two of
    /// these.
    ///
    /// Requirements:
    /// - The caller is the resolver, and the escrow is not paused.
    /// - `announceReturnStray` with these arguments is in force, and its delay has passed.
    /// - The hold is `None`.
    /// - The amount is within the surplus.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @param amount The paid amount.
    function returnStray(address from, bytes32 nonce, uint256 amount) external;

    /// @notice Cancels the announcement for a stray payment. The resolver may announce again.
    /// @dev Requirements:
    /// - The caller has `PAUSER_ROLE`.
    /// - An announcement is in force.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    function cancelStray(address from, bytes32 nonce) external;

    /// @notice Ends a hold and credits its parties. Moves no tokens.
    /// @dev Requirements:
    /// - The caller is the resolver, and the escrow is not paused.
    /// - The hold is `Held`.
    /// - One to three legs, each to the payer, the payee or the fee recipient, and more than zero.
    /// - The amounts sum to the hold; the fee is at most `feeBps` of what is not refunded.
    /// - After `expiry`, everything goes to the payer.
    /// @param terms The terms of the payment.
    /// @param payer The account that paid.
    /// @param recipients The accounts to credit.
    /// @param amounts The credit of each.
    function release(
        Terms calldata terms,
        address payer,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) external;

    /// @notice Ends the caller's own hold in favour of the payee, less the fee, without the service.
    /// @dev Requires the hold of the caller under these terms to be `Held`. Not stopped by a pause.
    /// @param terms The terms of the payment.
    function releaseByPayer(Terms calldata terms) external;

    /// @notice Ends a hold in favour of the payer, by the payee, without the service.
    /// @dev Requires the caller to be the payee and the hold to be `Held`. Not stopped by a pause.
    /// @param terms The terms of the payment.
    /// @param payer The account that paid.
    function refundByPayee(Terms calldata terms, address payer) external;

    /// @notice Takes the caller's own hold back after its expiry, without the service.
    /// @dev Credits the payer and moves no tokens, so it cannot fail because the token is paused or has
    /// blocked the payer. `withdraw` or `withdrawTo` then pays the credit. Not stopped by a pause.
    ///
    /// Requirements:
    /// - The hold of the caller under these terms is `Held`.
    /// - `expiry` has passed.
    /// @param terms The terms of the payment.
    function reclaim(Terms calldata terms) external;

    /// @notice Pays the caller its whole credit.
    function withdraw() external;

    /// @notice Pays the caller's whole credit to an address of its choice.
    /// @param to Any address but zero, the escrow and the token.
    function withdrawTo(address to) external;

    /// @notice Pays an account its whole credit, at its own address. Anyone may pay the gas.
    /// @param account The account to pay.
    function withdrawFor(address account) external;

    /// @notice Returns the chain id in every terms hash: `block.chainid` at the deployment.
    /// @dev It never changes, so holds keep their ids when the chain's id changes. A signature for one of the
    /// two chains is then refused on the other by the token, which must compute its EIP-712 domain from
    /// `block.chainid` at each call.
    /// @return id Not the id of the chain at this moment: compare the two.
    function chainId() external view returns (uint256 id);

    /// @notice Returns the EIP-3009 nonce of a payment under these terms.
    /// @param terms The terms of the payment.
    /// @return hash keccak256 over a type hash, `chainId()`, this contract, its token and every field.
    function termsHash(Terms calldata terms) external view returns (bytes32 hash);

    /// @notice Returns the id of one payer's hold under these terms.
    /// @param terms The terms of the payment.
    /// @param payer The account that pays.
    /// @return id keccak256(abi.encode(termsHash, payer)), never used twice.
    function holdId(Terms calldata terms, address payer) external view returns (bytes32 id);

    /// @notice Returns the state of a hold.
    /// @param id The hold, or keccak256(abi.encode(nonce, from)) of a stray payment.
    /// @return state `None` for an unknown id.
    function stateOf(bytes32 id) external view returns (HoldState state);

    /// @notice Returns the announcement for a stray payment.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @return action `None` when nothing is announced, or the announcement has ended.
    /// @return amount The amount to hold or return.
    /// @return availableAt The first moment at which it can be executed.
    function announcedStray(
        address from,
        bytes32 nonce
    ) external view returns (StrayAction action, uint256 amount, uint48 availableAt);

    /// @notice Returns the credit of an account, which it can withdraw.
    /// @param account The account.
    /// @return amount All unpaid credit. Only a withdrawal lowers it, and always to zero.
    function claimable(address account) external view returns (uint256 amount);

    /// @notice Returns everything owed: all holds and all credits.
    /// @return amount At most the escrow's balance.
    function totalOwed() external view returns (uint256 amount);
}
