// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

interface IUpgradeable {
    function upgradeTo(address implementation) external;
    function implementation() external view returns (address current);
}

/// @dev A version that answers nothing: what a failed upgrade leaves.
contract BrokenToken {
    error Broken();

    fallback() external {
        revert Broken();
    }
}

/// @dev A version under which every balance is a share of what it was: a rebase, or a debt written off.
contract RebasedToken {
    address private immutable _former;
    uint256 private immutable _keptBps;

    constructor(address former, uint256 keptBps) {
        (_former, _keptBps) = (former, keptBps);
    }

    function balanceOf(address account) external returns (uint256 amount) {
        (, bytes memory answer) = _former.delegatecall(abi.encodeWithSignature("balanceOf(address)", account));
        return (abi.decode(answer, (uint256)) * _keptBps) / 10_000;
    }

    fallback() external {
        (bool success, bytes memory answer) = _former.delegatecall(msg.data);
        assembly ("memory-safe") {
            if iszero(success) {
                revert(add(answer, 0x20), mload(answer))
            }
            return(add(answer, 0x20), mload(answer))
        }
    }
}

/// @dev USDC is a proxy: its code can change between the moment that money comes in and the moment that it
/// goes out.
contract UpgradesTest is EscrowTest {
    bytes32 private constant NONCE = keccak256("a nonce of no order");

    address private sound;

    function setUp() public override {
        super.setUp();
        vm.prank(PROXY_ADMIN);
        sound = IUpgradeable(address(usdc)).implementation();
    }

    function test_aSoundVersionBetweenFundAndWithdrawChangesNothing() public {
        (IEscrow.Terms memory terms, bytes32 id) = funded();
        upgradeTo(address(new RebasedToken(sound, 10_000)));
        assertOwes(PRICE);
        vm.assertEq(escrow.surplus(), 0, "surplus");
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
        assertState(id, IEscrow.HoldState.Released);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(usdc.balanceOf(PAYEE), NET, "paid");
        assertOwes(FEE);
    }

    function test_aBrokenVersionDelaysPaymentsAndEndsNoCredit() public {
        (IEscrow.Terms memory terms, ) = funded();
        upgradeTo(address(new BrokenToken()));
        // Ends of a hold need no token.
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        vm.expectRevert(BrokenToken.Broken.selector);
        escrow.withdrawFor(PAYEE);
        assertClaimable(PAYEE, NET);
        vm.assertEq(escrow.totalOwed(), PRICE, "total owed");
        upgradeTo(sound);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(usdc.balanceOf(PAYEE), NET, "paid");
        assertClaimable(FEE_RECIPIENT, FEE);
    }

    function test_aBrokenVersionLeavesTheWayBackByExpiryOpen() public {
        (IEscrow.Terms memory terms, ) = funded();
        upgradeTo(address(new BrokenToken()));
        vm.warp(terms.expiry + 1);
        vm.prank(payer);
        escrow.reclaim(terms);
        assertClaimable(payer, PRICE);
        upgradeTo(sound);
        uint256 before = usdc.balanceOf(payer);
        escrow.withdrawFor(payer);
        vm.assertEq(usdc.balanceOf(payer), before + PRICE, "paid");
    }

    /// @dev Half of the stray money is gone, and all that was announced for it is refused.
    function test_aNegativeRebaseEndsWhatWasAnnouncedForTheSurplus() public {
        IEscrow.Terms memory terms = everythingAnnounced();
        uint256 balance = usdc.balanceOf(address(escrow));
        vm.assertEq(escrow.surplus(), 2 * PRICE, "surplus");
        // Less by a micro than would cover one of them beside what is owed.
        upgradeTo(address(new RebasedToken(sound, 6_666)));
        uint256 left = (balance * 6_666) / 10_000 - PRICE;
        vm.assertEq(escrow.surplus(), left, "surplus");
        expectExceeded(terms, left);
        assertOwes(PRICE);
    }

    /// @dev Less is left than is owed: nothing is surplus, and the hold stays what it was.
    function test_aNegativeRebaseBelowWhatIsOwedLeavesNoSurplus() public {
        IEscrow.Terms memory terms = everythingAnnounced();
        upgradeTo(address(new RebasedToken(sound, 3_000)));
        vm.assertEq(escrow.surplus(), 0, "surplus");
        expectExceeded(terms, 0);
        vm.assertEq(escrow.totalOwed(), PRICE, "total owed");
        // Announced before, and possible again when the money is back.
        upgradeTo(sound);
        adopt(terms, payer);
        vm.assertEq(escrow.totalOwed(), 2 * uint256(PRICE), "total owed");
    }

    /// @dev A hold of PRICE, and an adoption, a return and a rescue announced and due, each for as much.
    function everythingAnnounced() private returns (IEscrow.Terms memory terms) {
        funded();
        terms = order();
        terms.order = keccak256("market:order:2");
        terms.expiry = uint48(timeNow() + 200 days);
        submitDirectly(PAYER_KEY, address(escrow), PRICE, escrow.termsHash(terms));
        submitDirectly(PAYER_KEY, address(escrow), PRICE, NONCE);
        vm.prank(ADMIN);
        escrow.announceRescue(STRANGER, PRICE);
        vm.warp(timeNow() + 26 days);
        announceAdopt(terms, payer);
        announceReturnStray(payer, NONCE, PRICE);
        passStrayDelay();
    }

    function expectExceeded(IEscrow.Terms memory terms, uint256 left) private {
        bytes memory reason = abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, PRICE, left);
        vm.expectRevert(reason);
        adopt(terms, payer);
        vm.expectRevert(reason);
        returnStray(payer, NONCE, PRICE);
        vm.expectRevert(reason);
        vm.prank(ADMIN);
        escrow.rescue();
    }

    function upgradeTo(address implementation) private {
        vm.prank(PROXY_ADMIN);
        IUpgradeable(address(usdc)).upgradeTo(implementation);
    }
}
