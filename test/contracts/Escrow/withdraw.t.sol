// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev withdraw, withdrawTo and withdrawFor.
contract WithdrawTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        credit("market:order:1");
    }

    function test_paysTheCallerItsCredit() public {
        vm.expectEmit(address(escrow));
        emit IEscrow.Withdrawn(PAYEE, PAYEE, NET);
        vm.prank(PAYEE);
        escrow.withdraw();
        vm.assertEq(usdc.balanceOf(PAYEE), NET, "the seller's tokens");
        assertClaimable(PAYEE, 0);
        assertClaimable(FEE_RECIPIENT, FEE);
        assertOwes(FEE);
    }

    function test_eachPaysAllThatCameSinceTheLast() public {
        credit("market:order:2");
        assertClaimable(PAYEE, 2 * NET);
        expectPaid(2 * NET);
        credit("market:order:3");
        assertClaimable(PAYEE, NET);
        expectPaid(NET);
        vm.assertEq(usdc.balanceOf(PAYEE), 3 * NET, "the seller's tokens");
        assertOwes(3 * FEE);
    }

    function test_refusesAnAccountWithoutCredit() public {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NothingToWithdraw.selector, STRANGER));
        vm.prank(STRANGER);
        escrow.withdraw();

        vm.prank(PAYEE);
        escrow.withdraw();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NothingToWithdraw.selector, PAYEE));
        vm.prank(PAYEE);
        escrow.withdraw();
    }

    function test_toPaysTheCallersChoice() public {
        vm.expectEmit(address(escrow));
        emit IEscrow.Withdrawn(PAYEE, STRANGER, NET);
        vm.prank(PAYEE);
        escrow.withdrawTo(STRANGER);
        vm.assertEq(usdc.balanceOf(STRANGER), NET, "the chosen address's tokens");
    }

    function test_toRefusesAddressesThatWouldLoseIt() public {
        address[3] memory refused = [address(0), address(escrow), address(usdc)];
        for (uint256 i = 0; i < refused.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IEscrowControls.InvalidRecipient.selector, refused[i]));
            vm.prank(PAYEE);
            escrow.withdrawTo(refused[i]);
        }
    }

    function test_forPaysTheAccountWhoeverCalls() public {
        vm.expectEmit(address(escrow));
        emit IEscrow.Withdrawn(PAYEE, PAYEE, NET);
        vm.prank(STRANGER);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(usdc.balanceOf(PAYEE), NET, "the seller's tokens");
        vm.assertEq(usdc.balanceOf(STRANGER), 0, "the caller's tokens");
    }

    function test_aBlockedAccountStopsItselfAloneAndMayNameAnother() public {
        usdc.blacklist(PAYEE);
        vm.expectRevert("Blacklistable: account is blacklisted");
        vm.prank(PAYEE);
        escrow.withdraw();
        assertClaimable(PAYEE, NET);

        vm.prank(FEE_RECIPIENT);
        escrow.withdraw();
        vm.prank(PAYEE);
        escrow.withdrawTo(STRANGER);
        vm.assertEq(usdc.balanceOf(STRANGER), NET, "the chosen address's tokens");
        assertOwes(0);
    }

    function test_aPausedTokenOnlyDelays() public {
        usdc.pause();
        vm.expectRevert("Pausable: paused");
        vm.prank(PAYEE);
        escrow.withdraw();
        assertClaimable(PAYEE, NET);
        usdc.unpause();
        vm.prank(PAYEE);
        escrow.withdraw();
        vm.assertEq(usdc.balanceOf(PAYEE), NET, "the seller's tokens");
    }

    function test_goesOnDuringAPause() public {
        credit("market:order:2");
        (IEscrow.Terms memory terms, ) = fundedAgain();
        vm.prank(PAUSER);
        escrow.pause();
        vm.prank(PAYEE);
        escrow.withdraw();
        vm.assertEq(usdc.balanceOf(PAYEE), 2 * NET, "the seller's tokens");
        vm.prank(FEE_RECIPIENT);
        escrow.withdrawTo(STRANGER);
        vm.prank(payer);
        escrow.releaseByPayer(terms);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(usdc.balanceOf(PAYEE), 3 * NET, "the seller's tokens");
        assertOwes(FEE);
    }

    function expectPaid(uint256 amount) private {
        vm.expectEmit(address(escrow));
        emit IEscrow.Withdrawn(PAYEE, PAYEE, amount);
        vm.prank(PAYEE);
        escrow.withdraw();
        assertClaimable(PAYEE, 0);
    }

    function fundedAgain() private returns (IEscrow.Terms memory terms, bytes32 id) {
        terms = order();
        terms.order = keccak256("market:order:3");
        id = fund(terms);
    }

    /// @dev Funds an order and releases it as accepted.
    function credit(string memory name) private {
        IEscrow.Terms memory terms = order();
        terms.order = keccak256(bytes(name));
        fund(terms);
        (address[] memory recipients, uint256[] memory amounts) = acceptedSplit();
        release(terms, recipients, amounts);
    }
}
