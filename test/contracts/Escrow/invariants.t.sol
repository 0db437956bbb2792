// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IDeployedEscrow} from "../IDeployedEscrow.sol";
import {IUsdc} from "../IUsdc.sol";
import {Vm} from "../Vm.sol";
import {EscrowHandler} from "./EscrowHandler.sol";
import {EscrowPowersHandler} from "./EscrowPowersHandler.sol";
import {EscrowServiceHandler} from "./EscrowServiceHandler.sol";

/// @dev What holds after any sequence of actions. The handler demands besides that no forbidden one ever
/// succeeds.
contract EscrowInvariantTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    address private constant ADMIN = address(0xA1);
    address private constant PAUSER = address(0xA3);

    EscrowServiceHandler private handler;
    EscrowPowersHandler private powers;
    IDeployedEscrow private escrow;
    IUsdc private usdc;

    function setUp() public {
        handler = new EscrowServiceHandler();
        handler.setUp();
        powers = new EscrowPowersHandler(handler, ADMIN, PAUSER);
        handler.obey(powers);
        escrow = handler.deployedEscrow();
        usdc = handler.deployedUsdc();
    }

    /// @dev Read by the runner: what it may call.
    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](26);
        selectors[0] = handler.place.selector;
        selectors[1] = handler.copy.selector;
        selectors[2] = bytes4(keccak256("fund(uint256,bool)"));
        selectors[3] = handler.payPastTheEscrow.selector;
        selectors[4] = handler.spendElsewhere.selector;
        selectors[5] = handler.adopt.selector;
        selectors[6] = bytes4(keccak256("release(uint256,uint256,uint256)"));
        selectors[7] = handler.releaseByPayer.selector;
        selectors[8] = handler.refundByPayee.selector;
        selectors[9] = handler.reclaim.selector;
        selectors[10] = handler.withdraw.selector;
        selectors[11] = handler.returnStray.selector;
        selectors[12] = handler.dust.selector;
        selectors[13] = handler.pause.selector;
        selectors[14] = handler.unpause.selector;
        selectors[15] = handler.wait.selector;
        selectors[16] = handler.announceAdopt.selector;
        selectors[17] = handler.announceReturnStray.selector;
        selectors[18] = handler.setResolver.selector;
        selectors[19] = handler.announceRescue.selector;
        selectors[20] = handler.rescue.selector;
        selectors[21] = handler.trespass.selector;
        selectors[22] = handler.blockAccount.selector;
        selectors[23] = handler.pauseToken.selector;
        selectors[24] = handler.cancelStray.selector;
        selectors[25] = handler.cancelRescue.selector;
        bytes4[] memory others = new bytes4[](7);
        others[0] = powers.rescueOther.selector;
        others[1] = powers.movePauser.selector;
        others[2] = powers.beginAdminTransfer.selector;
        others[3] = powers.cancelAdminTransfer.selector;
        others[4] = powers.acceptAdminTransfer.selector;
        others[5] = powers.releaseAnotherSum.selector;
        others[6] = powers.usurp.selector;
        targets = new FuzzSelector[](2);
        targets[1] = FuzzSelector({addr: address(powers), selectors: others});
        targets[0] = FuzzSelector({addr: address(handler), selectors: selectors});
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](2);
        (targets[0], targets[1]) = (address(handler), address(powers));
    }

    function invariant_theBalanceCoversWhatIsOwed() public view {
        vm.assertGe(usdc.balanceOf(address(escrow)), holds() + credits(), "balance");
    }

    function invariant_totalOwedIsHoldsAndCredits() public view {
        vm.assertEq(escrow.totalOwed(), holds() + credits(), "total owed");
    }

    function invariant_whatCameInWentOutOrIsThere() public view {
        vm.assertEq(handler.totalIn(), handler.totalOut() + usdc.balanceOf(address(escrow)), "conservation");
        vm.assertEq(escrow.surplus() + escrow.totalOwed(), usdc.balanceOf(address(escrow)), "surplus");
    }

    function invariant_everyHoldIsWhereItsActionsLeftIt() public view {
        for (uint256 i = 0; i < handler.dealCount(); ++i) {
            (EscrowHandler.Deal memory deal, bytes32 id) = handler.dealAt(i);
            vm.assertEq(uint256(escrow.stateOf(id)), uint256(deal.state), "state");
        }
    }

    function invariant_nobodysCreditFallsButByAPaymentToThem() public view {
        address[] memory accounts = handler.allAccounts();
        for (uint256 i = 0; i < accounts.length; ++i) {
            uint256 unpaid = handler.credited(accounts[i]) - handler.withdrawn(accounts[i]);
            vm.assertEq(escrow.claimable(accounts[i]), unpaid, "claimable");
        }
    }

    function invariant_theSurplusIsWhatNobodyIsOwed() public view {
        vm.assertEq(escrow.surplus(), handler.surplus(), "surplus");
    }

    function invariant_theResolverIsWhoWasNamedTwoDaysBefore() public view {
        vm.assertEq(escrow.resolver(), handler.resolverNow(), "resolver");
    }

    function invariant_theAdminAndThePauserAreThoseNamedAndAccepted() public view {
        vm.assertEq(escrow.defaultAdmin(), powers.adminNow(), "admin");
        vm.assertTrue(escrow.hasRole(escrow.PAUSER_ROLE(), powers.pauserNow()), "pauser");
    }

    function invariant_whatIsAnnouncedForStraysIsWhatTheResolverInOfficeAnnounced() public view {
        for (uint256 i = 0; i < handler.dealCount(); ++i) {
            (EscrowHandler.Deal memory deal, ) = handler.dealAt(i);
            (IEscrow.StrayAction action, uint256 amount, uint256 availableAt) = escrow.announcedStray(
                vm.addr(deal.key),
                escrow.termsHash(deal.terms)
            );
            bool stands = handler.stands(deal);
            vm.assertEq(uint256(action), stands ? uint256(deal.announced) : 0, "action");
            vm.assertEq(amount, stands ? deal.announcedAmount : 0, "amount");
            vm.assertEq(availableAt, stands ? deal.announcedAt + 4 days : 0, "available at");
        }
    }

    function invariant_aPauseIsShortAndRare() public view {
        uint256 until = escrow.pausedUntil();
        vm.assertLe(until, vm.getBlockTimestamp() + 7 days, "end of the pause");
        vm.assertEq(escrow.pausableFrom(), until == 0 ? 0 : until + 30 days, "the next pause");
    }

    /// @dev From the contract's own states, not the handler's books.
    function holds() private view returns (uint256 sum) {
        for (uint256 i = 0; i < handler.dealCount(); ++i) {
            (EscrowHandler.Deal memory deal, bytes32 id) = handler.dealAt(i);
            if (escrow.stateOf(id) == IEscrow.HoldState.Held) sum += deal.terms.amount;
        }
    }

    function credits() private view returns (uint256 sum) {
        address[] memory accounts = handler.allAccounts();
        for (uint256 i = 0; i < accounts.length; ++i) sum += escrow.claimable(accounts[i]);
    }
}
