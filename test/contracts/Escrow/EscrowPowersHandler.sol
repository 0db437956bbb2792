// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IDeployedEscrow} from "../IDeployedEscrow.sol";
import {Vm} from "../Vm.sol";
import {EscrowHandler} from "./EscrowHandler.sol";
import {IPowers} from "./IPowers.sol";

contract StrayToken is ERC20("Stray", "STRAY") {
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

/// @dev Hands the powers over an escrow from one account to another, takes other tokens out of it, and tries
/// what no power may. A contract of its own, since one contract with all actions would be larger than can be
/// deployed.
contract EscrowPowersHandler is IPowers {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant SECOND_ADMIN = address(0xA8);
    address private constant SECOND_PAUSER = address(0xA9);
    address private constant STRANGER = address(0xA6);
    address private constant SAFE = address(0x5AFE);
    bytes32 private constant ADMIN_ROLE = 0;

    EscrowHandler private immutable _deals;
    IDeployedEscrow private immutable _escrow;
    address private immutable _firstAdmin;
    address private immutable _firstPauser;
    StrayToken private immutable _stray = new StrayToken();

    address public override adminNow;
    address public override pauserNow;
    address private _pendingAdmin;
    uint256 private _adminChangesAfter;

    constructor(EscrowHandler deals, address admin, address pauser) {
        (_deals, _escrow) = (deals, deals.deployedEscrow());
        (_firstAdmin, _firstPauser) = (admin, pauser);
        (adminNow, pauserNow) = (admin, pauser);
    }

    /// @dev Another token comes out at once, the payment token never.
    function rescueOther(uint256 sent, uint256 amount, bool paymentToken) external {
        _stray.mint(address(_escrow), sent % 1e12);
        uint256 there = _stray.balanceOf(address(_escrow));
        amount = amount % (there + 2);
        IERC20 token = paymentToken ? IERC20(address(_deals.deployedUsdc())) : _stray;
        bytes memory call = abi.encodeCall(_escrow.rescueOther, (token, SAFE, amount));
        if (!attempt(adminNow, call, !paymentToken && amount <= there)) return;
        vm.assertEq(_stray.balanceOf(address(_escrow)), there - amount, "rescued tokens");
    }

    /// @dev The admin dismisses the pauser, and names another one.
    function movePauser() external {
        bytes32 role = _escrow.PAUSER_ROLE();
        attempt(adminNow, abi.encodeCall(_escrow.revokeRole, (role, pauserNow)), true);
        pauserNow = otherPauser();
        attempt(adminNow, abi.encodeCall(_escrow.grantRole, (role, pauserNow)), true);
    }

    function beginAdminTransfer(bool same) external {
        _pendingAdmin = same ? adminNow : otherAdmin();
        attempt(adminNow, abi.encodeCall(_escrow.beginDefaultAdminTransfer, (_pendingAdmin)), true);
        _adminChangesAfter = vm.getBlockTimestamp() + 2 days;
    }

    function cancelAdminTransfer() external {
        attempt(adminNow, abi.encodeCall(_escrow.cancelDefaultAdminTransfer, ()), true);
        _pendingAdmin = address(0);
    }

    function acceptAdminTransfer(bool bySame) external {
        address account = bySame ? adminNow : otherAdmin();
        // The last second of the delay still belongs to it.
        bool allowed = account == _pendingAdmin && vm.getBlockTimestamp() > _adminChangesAfter;
        if (!attempt(account, abi.encodeCall(_escrow.acceptDefaultAdminTransfer, ()), allowed)) return;
        (adminNow, _pendingAdmin) = (account, address(0));
    }

    /// @dev Legs that are each within the hold, and another amount together.
    function releaseAnotherSum(uint256 seed, uint256 count, uint256[3] memory parts) external {
        if (_deals.dealCount() == 0) return;
        EscrowHandler.Deal memory deal = heldDeal(seed);
        address payer = vm.addr(deal.key);
        address[3] memory parties = [deal.terms.payee, payer, deal.terms.payee];
        (address[] memory recipients, uint256[] memory amounts) = (
            new address[](1 + (count % 3)),
            new uint256[](1 + (count % 3))
        );
        uint256 sum = 0;
        for (uint256 i = 0; i < recipients.length; ++i) {
            (recipients[i], amounts[i]) = (parties[i], 1 + (parts[i] % deal.terms.amount));
            sum += amounts[i];
        }
        if (sum == deal.terms.amount) ++amounts[0];
        bytes memory call = abi.encodeCall(_escrow.release, (deal.terms, payer, recipients, amounts));
        attempt(_deals.resolverNow(), call, false);
    }

    /// @dev Those who had a power, may have it next or never have any, try what is the admin's to do.
    function usurp(uint256 who, uint256 what) external {
        address[4] memory powerless = [STRANGER, otherAdmin(), pauserNow, otherPauser()];
        bytes32 role = _escrow.PAUSER_ROLE();
        bytes[8] memory calls = [
            abi.encodeCall(_escrow.cancelRescue, ()),
            abi.encodeCall(_escrow.rescueOther, (_stray, STRANGER, 0)),
            abi.encodeCall(_escrow.grantRole, (role, STRANGER)),
            abi.encodeCall(_escrow.revokeRole, (role, pauserNow)),
            abi.encodeCall(_escrow.beginDefaultAdminTransfer, (STRANGER)),
            abi.encodeCall(_escrow.cancelDefaultAdminTransfer, ()),
            abi.encodeCall(_escrow.changeDefaultAdminDelay, (0)),
            abi.encodeCall(_escrow.setResolver, (STRANGER))
        ];
        attempt(powerless[who % 4], calls[what % 8], false);
        attempt(otherPauser(), abi.encodeCall(_escrow.pause, ()), false);
        // Not even the admin hands its role on without the delay.
        attempt(adminNow, abi.encodeCall(_escrow.grantRole, (ADMIN_ROLE, STRANGER)), false);
    }

    function attempt(address sender, bytes memory call, bool expected) private returns (bool success) {
        vm.prank(sender);
        (success, ) = address(_escrow).call(call);
        string memory message = expected ? "an allowed action failed" : "a forbidden action succeeded";
        vm.assertTrue(success == expected, message);
    }

    /// @dev A deal whose hold is there, if one is.
    function heldDeal(uint256 seed) private view returns (EscrowHandler.Deal memory deal) {
        uint256 count = _deals.dealCount();
        for (uint256 i = 0; i < count; ++i) {
            (deal, ) = _deals.dealAt(((seed % count) + i) % count);
            if (deal.state == IEscrow.HoldState.Held) return deal;
        }
    }

    function otherAdmin() private view returns (address account) {
        return adminNow == _firstAdmin ? SECOND_ADMIN : _firstAdmin;
    }

    function otherPauser() private view returns (address account) {
        return pauserNow == _firstPauser ? SECOND_PAUSER : _firstPauser;
    }
}
