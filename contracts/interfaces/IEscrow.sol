// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrowControls} from "./IEscrowControls.sol";

/// @title IEscrow
/// @notice Holds a buyer's payment until it is released, and then whatever each account may withdraw.
/// @dev Times are unix seconds, amounts are micro-units of the payment token. A hold goes from `None` to `Held` to one
/// of the final states, once. Releasing and reclaiming only credit accounts; tokens leave by a withdrawal to them, by
/// `returnStray`, and by an announced rescue of what nobody is owed.
interface IEscrow is IEscrowControls {
    /// @notice What a payment is for. Its hash is the nonce the payer signs.
    /// @dev Every field is part of the hash, together with `chainId()`, the escrow and the token.
    /// @param order Key of the order.
    /// @param payee Who delivers and is paid.
    /// @param amount What is held.
    /// @param feeRecipient Who gets the service's fee. May be zero when `feeBps` is.
    /// @param feeBps The most the fee can be, in hundredths of a percent of what is not refunded. At most `MAX_FEE_BPS`.
    /// @param fundBy The last moment it can be funded.
    /// @param expiry The last moment it can be released. After it the payer may reclaim.
    struct Terms {
        bytes32 order;
        address payee;
        uint128 amount;
        address feeRecipient;
        uint16 feeBps;
        uint48 fundBy;
        uint48 expiry;
    }

    /// @notice What became of a hold. `Returned` marks a stray payment that was given back.
    enum HoldState {
        None,
        Held,
        Released,
        Reclaimed,
        Returned
    }

    /// @notice What the resolver has announced for a stray payment.
    enum StrayAction {
        None,
        Adopt,
        Return
    }

    /// @notice A hold began.
    /// @dev Follows the token's `AuthorizationUsed` and `Transfer` of the payment at once, unless `adopted`.
    /// @param holdId The hold.
    /// @param order Key of the order.
    /// @param payer Who paid.
    /// @param terms What the payment is for.
    /// @param adopted True when the payment had reached the escrow earlier.
    event Funded(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, Terms terms, bool adopted);

    /// @notice A hold ended and its amount was credited.
    /// @param holdId The hold.
    /// @param order Key of the order.
    /// @param payer Who paid.
    /// @param recipients Who was credited.
    /// @param amounts What each was credited. They sum to the hold.
    /// @param cause 0: the resolver. 1: `releaseByPayer`. 2: `refundByPayee`.
    event Released(
        bytes32 indexed holdId,
        bytes32 indexed order,
        address indexed payer,
        address[] recipients,
        uint256[] amounts,
        uint8 cause
    );

    /// @notice A hold ended by its expiry: its whole amount was credited to the payer, who can now withdraw it.
    /// @param holdId The hold.
    /// @param order Key of the order.
    /// @param payer Who paid and was credited.
    /// @param amount What was credited.
    event Reclaimed(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, uint256 amount);

    /// @notice An account was paid all it had been credited.
    /// @param account Whose credit it was.
    /// @param to Where the tokens went: `account`, or its own choice.
    /// @param amount How much: what the events credited it since the last of these.
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    /// @notice A payment that is for no hold went back to its sender.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment, now usable for no hold.
    /// @param amount How much.
    event StrayReturned(address indexed from, bytes32 indexed nonce, uint256 amount);

    /// @notice The resolver announced what it will do with a stray payment. Replaces an earlier announcement for it.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @param action `Adopt` or `Return`.
    /// @param amount How much will be held or returned.
    /// @param availableAt The first moment it can be done.
    event StrayAnnounced(
        address indexed from,
        bytes32 indexed nonce,
        StrayAction action,
        uint256 amount,
        uint48 availableAt
    );

    /// @notice The pauser cancelled the announcement for a stray payment.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    event StrayCancelled(address indexed from, bytes32 indexed nonce);

    /// @notice The payee is zero, the escrow, the token or the fee recipient.
    /// @param payee The address refused.
    error InvalidPayee(address payee);

    /// @notice The payer is the payee or the fee recipient.
    /// @param payer The address refused.
    error InvalidPayer(address payer);

    /// @notice The fee recipient is the escrow or the token, or zero while there is a fee.
    /// @param feeRecipient The address refused.
    error InvalidFeeRecipient(address feeRecipient);

    /// @notice The fee is above the cap.
    /// @param feeBps The fee in the terms.
    /// @param max `MAX_FEE_BPS`.
    error InvalidFee(uint16 feeBps, uint16 max);

    /// @notice Nothing is held for nothing.
    error ZeroAmount();

    /// @notice The expiry is not after `fundBy`, or too far away.
    /// @param expiry The expiry in the terms.
    /// @param fundBy The last moment of funding.
    /// @param latest The latest expiry allowed at this moment.
    error InvalidExpiry(uint48 expiry, uint48 fundBy, uint256 latest);

    /// @notice It is too late to fund these terms.
    /// @param fundBy The last moment it could be done.
    error FundingClosed(uint48 fundBy);

    /// @notice The hold's expiry has passed, so that only the payer can be given the money.
    /// @param expiry When it was.
    error HoldExpired(uint48 expiry);

    /// @notice The hold has not expired yet.
    /// @param expiry The last moment before it can be reclaimed.
    error HoldNotExpired(uint48 expiry);

    /// @notice The hold is not in the state this needs.
    /// @param holdId The hold.
    /// @param actual Its state.
    /// @param expected The state it should have.
    error WrongState(bytes32 holdId, HoldState actual, HoldState expected);

    /// @notice The token knows no use of this authorization.
    /// @param from The signer.
    /// @param nonce The nonce.
    error AuthorizationUnused(address from, bytes32 nonce);

    /// @notice The caller is not the payee of these terms.
    /// @param caller Who called.
    /// @param payee Who may.
    error NotPayee(address caller, address payee);

    /// @notice There must be one amount for each recipient, and one to three of them.
    /// @param recipients How many recipients were given.
    /// @param amounts How many amounts were given.
    error InvalidLegs(uint256 recipients, uint256 amounts);

    /// @notice The amounts do not sum to the hold.
    /// @param sum Their sum, or the first that is more than the hold by itself.
    /// @param amount The hold.
    error WrongSum(uint256 sum, uint256 amount);

    /// @notice The fee is more than the terms allow.
    /// @param fee What was asked for.
    /// @param max The most it can be with this refund.
    error FeeExceeded(uint256 fee, uint256 max);

    /// @notice The account has no credit.
    /// @param account The account.
    error NothingToWithdraw(address account);

    /// @notice Nothing like this is announced: never, not any more, or with another action or amount.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    error StrayNotAnnounced(address from, bytes32 nonce);

    /// @notice This action with this amount is announced already.
    /// @param availableAt The first moment it can be done.
    error StrayAlreadyAnnounced(uint48 availableAt);

    /// @notice The delay of the announcement has not passed.
    /// @param availableAt The first moment it can be done.
    error StrayNotAvailable(uint48 availableAt);

    /// @notice Takes a signed payment and holds it. Anyone may submit it: the signature is for these terms alone.
    /// @dev The EIP-3009 nonce is `termsHash(terms)`, the recipient this contract, the value `terms.amount`.
    ///
    /// Requirements:
    /// - The escrow is not paused.
    /// - `payee` is not zero, the escrow, the token or the fee recipient; `from` is not the payee or the fee recipient.
    /// - `feeBps` is at most `MAX_FEE_BPS`.
    /// - `now <= fundBy < expiry <= now + 400 days`.
    /// - The token accepts the authorization.
    /// @param terms What the payment is for.
    /// @param from The payer and signer.
    /// @param validAfter As signed.
    /// @param validBefore As signed.
    /// @param signature The payer's `TransferWithAuthorization` (EIP-3009): 65 bytes, or what an ERC-1271 wallet takes.
    function fund(
        Terms calldata terms,
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external;

    /// @notice Like `fund`, with a signature that only this contract can submit to the token.
    /// @param terms What the payment is for.
    /// @param from The payer and signer.
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
    /// @dev A stray payment is a signed transfer that a third party took to the token itself: it reached the escrow
    /// without `fund`. A used authorization does not prove a payment: it may have been cancelled, or have paid someone
    /// else. The resolver must have seen `AuthorizationUsed` and `Transfer` to the escrow side by side.
    ///
    /// An announcement reserves nothing. It ends when the pauser cancels it, when another resolver takes over, or when the
    /// resolver announces something else for the same sender and nonce.
    ///
    /// Requirements:
    /// - The caller is the resolver.
    /// - The terms are as `fund` requires them, except that `fundBy` may have passed; `expiry` may not.
    /// - The authorization with nonce `termsHash(terms)` is spent, and its hold is `None`.
    /// - The same is not announced already.
    /// @param terms What the payment is for.
    /// @param from The payer.
    function announceAdopt(Terms calldata terms, address from) external;

    /// @notice Holds a stray payment, as announced.
    /// @dev Requirements:
    /// - The caller is the resolver, and the escrow is not paused.
    /// - `announceAdopt` with these arguments stands, and its delay has passed.
    /// - The terms are as `fund` requires them, except that `fundBy` may have passed; `expiry` may not.
    /// - The hold is `None`.
    /// - The amount is within the surplus.
    /// @param terms What the payment is for.
    /// @param from The payer.
    function adopt(Terms calldata terms, address from) external;

    /// @notice Announces that a stray payment will be returned to its sender, from `STRAY_DELAY` on.
    /// @dev The resolver must have seen the payment's events, as for `announceAdopt`; the announcement ends as that one does.
    ///
    /// Requirements:
    /// - The caller is the resolver.
    /// - The authorization is spent, and its hold is `None`.
    /// - The amount is not zero.
    /// - The same is not announced already.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @param amount What was paid.
    function announceReturnStray(address from, bytes32 nonce, uint256 amount) external;

    /// @notice Returns a stray payment to its sender, as announced.
    /// @dev The pair of sender and nonce is used up, so that one payment is funded, adopted or returned, never two.
    ///
    /// Requirements:
    /// - The caller is the resolver, and the escrow is not paused.
    /// - `announceReturnStray` with these arguments stands, and its delay has passed.
    /// - The hold is `None`.
    /// - The amount is within the surplus.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @param amount What was paid.
    function returnStray(address from, bytes32 nonce, uint256 amount) external;

    /// @notice Cancels the announcement for a stray payment. The resolver may announce again.
    /// @dev Requirements:
    /// - The caller has `PAUSER_ROLE`.
    /// - An announcement stands.
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
    /// @param terms What the payment was for.
    /// @param payer Who paid.
    /// @param recipients Who is credited.
    /// @param amounts What each is credited.
    function release(
        Terms calldata terms,
        address payer,
        address[] calldata recipients,
        uint256[] calldata amounts
    ) external;

    /// @notice Ends the caller's own hold in favour of the payee, less the fee, whatever the service does.
    /// @dev Requires the hold of the caller under these terms to be `Held`. Not stopped by a pause.
    /// @param terms What the payment was for.
    function releaseByPayer(Terms calldata terms) external;

    /// @notice Ends a hold in favour of the payer, by the payee, whatever the service does.
    /// @dev Requires the caller to be the payee and the hold to be `Held`. Not stopped by a pause.
    /// @param terms What the payment was for.
    /// @param payer Who paid.
    function refundByPayee(Terms calldata terms, address payer) external;

    /// @notice Takes the caller's own hold back after its expiry, whatever the service does.
    /// @dev Credits the payer, like every end of a hold, and moves no tokens: so it cannot fail because the token is
    /// paused or has blocked the payer. `withdraw` or `withdrawTo` then takes them out. Not stopped by a pause.
    ///
    /// Requirements:
    /// - The hold of the caller under these terms is `Held`.
    /// - `expiry` has passed.
    /// @param terms What the payment was for.
    function reclaim(Terms calldata terms) external;

    /// @notice Pays the caller all it was credited.
    function withdraw() external;

    /// @notice Pays all the caller was credited to an address of its choice.
    /// @param to Any address but zero, the escrow and the token.
    function withdrawTo(address to) external;

    /// @notice Pays an account all it was credited, at its own address. Anyone may pay the gas.
    /// @param account Whose credit it is, and who is paid.
    function withdrawFor(address account) external;

    /// @notice The chain id in every terms hash: `block.chainid` at the deployment.
    /// @dev It never changes, so holds keep their ids when the chain's id changes. A signature for one of the two chains
    /// is then refused on the other by the token, which must compute its EIP-712 domain from `block.chainid` at each call.
    /// @return id Not the id of the chain at this moment: compare the two.
    function chainId() external view returns (uint256 id);

    /// @notice The EIP-3009 nonce of a payment under these terms.
    /// @param terms What the payment is for.
    /// @return hash keccak256 over a type hash, `chainId()`, this contract, its token and every field.
    function termsHash(Terms calldata terms) external view returns (bytes32 hash);

    /// @notice The hold of one payer under these terms.
    /// @param terms What the payment is for.
    /// @param payer Who pays.
    /// @return id keccak256(abi.encode(termsHash, payer)), never used twice.
    function holdId(Terms calldata terms, address payer) external view returns (bytes32 id);

    /// @notice What became of a hold.
    /// @param id The hold, or keccak256(abi.encode(nonce, from)) of a stray payment.
    /// @return state Its state.
    function stateOf(bytes32 id) external view returns (HoldState state);

    /// @notice What is announced for a stray payment.
    /// @param from The sender.
    /// @param nonce The EIP-3009 nonce of the payment.
    /// @return action `None` when nothing is announced, or the announcement has ended.
    /// @return amount How much will be held or returned.
    /// @return availableAt The first moment it can be done.
    function announcedStray(
        address from,
        bytes32 nonce
    ) external view returns (StrayAction action, uint256 amount, uint48 availableAt);

    /// @notice What an account can withdraw at this moment.
    /// @param account The account.
    /// @return amount What it was credited and was not paid. Falls by nothing but a withdrawal, and then to zero.
    function claimable(address account) external view returns (uint256 amount);

    /// @notice Everything owed: holds and credits not withdrawn.
    /// @return amount Never more than the escrow's balance.
    function totalOwed() external view returns (uint256 amount);
}
