// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";
import {SignerWallet} from "../SignerWallet.sol";

/// @dev A contract wallet that takes any signature, while it is in the mood.
contract FickleWallet is IERC1271 {
    bool private _agrees = true;

    function changeMind() external {
        _agrees = !_agrees;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4 magicValue) {
        return _agrees ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @dev Has code, and knows nothing of signatures.
contract Speechless {
    function ping() external pure returns (bool) {
        return true;
    }
}

/// @dev Which signatures real USDC takes, and so which payers can fund.
contract SignaturesTest is EscrowTest {
    bytes private constant INVALID = "FiatTokenV2: invalid signature";

    error Simulated();

    function test_aWalletThatChangesItsMindAfterTheSimulationPaysNothing() public {
        FickleWallet wallet = fickle();
        IEscrow.Terms memory terms = order();
        expectSimulated(terms, address(wallet));

        wallet.changeMind();
        vm.expectRevert(INVALID);
        escrow.fund(terms, address(wallet), 0, terms.fundBy, "");
        assertState(escrow.holdId(terms, address(wallet)), IEscrow.HoldState.None);
        vm.assertFalse(usdc.authorizationState(address(wallet), escrow.termsHash(terms)), "nonce spent");
        assertOwes(0);

        wallet.changeMind();
        escrow.fund(terms, address(wallet), 0, terms.fundBy, "");
        assertOwes(PRICE);
    }

    function test_aWalletThatChangesItsMindLaterHasPaid() public {
        FickleWallet wallet = fickle();
        IEscrow.Terms memory terms = order();
        escrow.fund(terms, address(wallet), 0, terms.fundBy, "");
        wallet.changeMind();
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        vm.prank(RESOLVER);
        escrow.release(terms, address(wallet), recipients, amounts);
        assertClaimable(PAYEE, NET);
    }

    function test_aWalletTakesWhateverSignatureItLikes(bytes calldata signature) public {
        FickleWallet wallet = fickle();
        IEscrow.Terms memory terms = order();
        escrow.fund(terms, address(wallet), 0, terms.fundBy, signature);
        assertState(escrow.holdId(terms, address(wallet)), IEscrow.HoldState.Held);
    }

    function test_aContractThatCannotAnswerCannotPay() public {
        Speechless wallet = new Speechless();
        usdc.mint(address(wallet), PRICE);
        expectRefusal(order(), address(wallet), "", INVALID);
    }

    function test_anotherOwnersSignatureIsNotTheWallets() public {
        SignerWallet wallet = new SignerWallet(STRANGER);
        usdc.mint(address(wallet), PRICE);
        IEscrow.Terms memory terms = order();
        bytes memory signature = signTransferFor(
            PAYER_KEY,
            address(wallet),
            address(escrow),
            PRICE,
            terms.fundBy,
            escrow.termsHash(terms)
        );
        expectRefusal(terms, address(wallet), signature, INVALID);
    }

    /// @dev EIP-2098 packs v into s. The token wants 65 bytes.
    function test_anAccountsSignatureHas65Bytes() public {
        IEscrow.Terms memory terms = order();
        (bytes32 r, bytes32 s, uint8 v) = parts(signed(terms, PAYER_KEY));
        bytes32 packed = bytes32(uint256(s) | (uint256(v - 27) << 255));
        expectRefusal(terms, payer, abi.encodePacked(r, packed), "ECRecover: invalid signature length");
        expectRefusal(terms, payer, "", "ECRecover: invalid signature length");
        expectRefusal(terms, payer, abi.encodePacked(r, s, v, v), "ECRecover: invalid signature length");
        fund(terms);
    }

    /// @dev The other signature of the same key over the same message (EIP-2).
    function test_anAccountsSignatureHasOneForm() public {
        IEscrow.Terms memory terms = order();
        (bytes32 r, bytes32 s, uint8 v) = parts(signed(terms, PAYER_KEY));
        uint256 order256k1 = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        bytes memory other = abi.encodePacked(r, order256k1 - uint256(s), v == 27 ? uint8(28) : uint8(27));
        expectRefusal(terms, payer, other, "ECRecover: invalid signature 's' value");
        expectRefusal(terms, payer, abi.encodePacked(r, s, v - 27), "ECRecover: invalid signature 'v' value");
        fund(terms);
    }

    /// @dev EIP-7702. The token asks the code an account runs, and no longer its key.
    function test_anAccountThatDelegatesPaysByWhatItsDelegateAccepts() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        delegate(payer, address(new Speechless()));
        expectRefusal(terms, payer, signature, INVALID);

        delegate(payer, address(new SignerWallet(payer)));
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
        assertState(escrow.holdId(terms, payer), IEscrow.HoldState.Held);
    }

    function test_anAccountThatNoLongerDelegatesPaysByItsKey() public {
        IEscrow.Terms memory terms = order();
        bytes memory signature = signed(terms, PAYER_KEY);
        delegate(payer, address(new Speechless()));
        expectRefusal(terms, payer, signature, INVALID);
        vm.etch(payer, "");
        escrow.fund(terms, payer, 0, terms.fundBy, signature);
        assertOwes(PRICE);
    }

    function test_anAccountThatDelegatesIsRefundedAndWithdraws() public {
        (IEscrow.Terms memory terms, ) = funded();
        delegate(payer, address(new Speechless()));
        vm.prank(PAYEE);
        escrow.refundByPayee(terms, payer);
        escrow.withdrawFor(payer);
        assertOwes(0);
    }

    /// @dev External, so that what it did can be undone, as a node does after a simulation.
    function simulate(IEscrow.Terms calldata terms, address from) external {
        escrow.fund(terms, from, 0, terms.fundBy, "");
        revert Simulated();
    }

    function expectSimulated(IEscrow.Terms memory terms, address from) private {
        vm.expectRevert(Simulated.selector);
        this.simulate(terms, from);
        assertState(escrow.holdId(terms, from), IEscrow.HoldState.None);
    }

    function expectRefusal(
        IEscrow.Terms memory terms,
        address from,
        bytes memory signature,
        bytes memory reason
    ) private {
        vm.expectRevert(reason);
        escrow.fund(terms, from, 0, terms.fundBy, signature);
        assertState(escrow.holdId(terms, from), IEscrow.HoldState.None);
        assertOwes(0);
    }

    function fickle() private returns (FickleWallet wallet) {
        wallet = new FickleWallet();
        usdc.mint(address(wallet), PRICE);
    }

    /// @dev What a transaction with an authorization list leaves as an account's code.
    function delegate(address account, address to) private {
        vm.etch(account, abi.encodePacked(hex"ef0100", to));
    }

    function parts(bytes memory signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }
}
