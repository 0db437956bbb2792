// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev A payment token that does as it likes: what USDC would be if it were upgraded badly.
contract MoodyToken {
    enum Mood {
        Sound,
        Silent,
        Refusing,
        Burning,
        Lying
    }

    uint256 private constant NOISE = 100_000;

    mapping(address account => uint256 amount) public balanceOf;
    Mood public mood;
    uint256 public keptBps;
    address public shoutedAt;

    function setMood(Mood next) external {
        mood = next;
    }

    function setKept(uint256 bps) external {
        keptBps = bps;
    }

    function shoutAt(address account) external {
        shoutedAt = account;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function authorizationState(address, bytes32) external pure returns (bool) {
        return true;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        if (from == shoutedAt) shout();
        if (mood == Mood.Lying) return;
        balanceOf[to] += value - (value * keptBps) / 10_000;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (mood == Mood.Refusing) return false;
        if (to == shoutedAt) shout();
        while (mood == Mood.Burning) {}
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        if (mood == Mood.Silent) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return true;
    }

    function shout() private pure {
        bytes memory noise = new bytes(NOISE);
        assembly ("memory-safe") {
            revert(add(noise, 0x20), mload(noise))
        }
    }
}

/// @dev What a token that is not as it should be can do to those whose money it is, and what it cannot.
contract TokensTest is EscrowTest {
    MoodyToken private token;
    uint256 private orders;

    function setUp() public override {
        super.setUp();
        token = new MoodyToken();
        escrow = deployEscrow(address(token), ADMIN, RESOLVER, PAUSER);
    }

    function test_aTokenThatReturnsNothingPays() public {
        credited();
        token.setMood(MoodyToken.Mood.Silent);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(token.balanceOf(PAYEE), NET, "paid");
        assertClaimable(PAYEE, 0);
    }

    function test_aTokenThatRefusesWithoutARevertTakesNobodysCredit() public {
        credited();
        token.mint(address(escrow), 2);
        announceReturnStray(payer, keccak256("stray"), 1);
        passStrayDelay();
        token.setMood(MoodyToken.Mood.Refusing);
        bytes memory failed = abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token);
        vm.expectRevert(failed);
        escrow.withdrawFor(PAYEE);
        vm.prank(PAYEE);
        vm.expectRevert(failed);
        escrow.withdrawTo(STRANGER);
        vm.prank(RESOLVER);
        vm.expectRevert(failed);
        escrow.returnStray(payer, keccak256("stray"), 1);
        assertClaimable(PAYEE, NET);
        assertState(escrow.holdId(order(), payer), IEscrow.HoldState.None);
        vm.assertEq(escrow.totalOwed(), PRICE, "total owed");

        token.setMood(MoodyToken.Mood.Sound);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(token.balanceOf(PAYEE), NET, "paid");
    }

    function test_aTokenThatShoutsAtOnePayeeKeepsThatOneWaitingAlone() public {
        credited();
        token.shoutAt(PAYEE);
        try escrow.withdrawFor(PAYEE) {
            vm.assertTrue(false, "must revert");
        } catch {}
        assertClaimable(PAYEE, NET);
        escrow.withdrawFor(FEE_RECIPIENT);
        vm.prank(PAYEE);
        escrow.withdrawTo(STRANGER);
        vm.assertEq(token.balanceOf(STRANGER), NET, "paid where it may be");
        vm.assertEq(escrow.totalOwed(), 0, "total owed");
    }

    function test_aTokenThatBurnsAllGasTakesNobodysCredit() public {
        credited();
        token.setMood(MoodyToken.Mood.Burning);
        try escrow.withdrawFor{gas: 500_000}(PAYEE) {
            vm.assertTrue(false, "must revert");
        } catch {}
        assertClaimable(PAYEE, NET);
        vm.assertEq(escrow.totalOwed(), PRICE, "total owed");
        token.setMood(MoodyToken.Mood.Sound);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(token.balanceOf(PAYEE), NET, "paid");
    }

    /// @dev As with a fee: what is missing is missed by whoever comes last, and no power can take out of the
    /// rest.
    function test_aTokenThatOnlySaysThatItMovedLeavesASurplusToNobody() public {
        credited();
        announceReturnStray(payer, keccak256("stray"), 1);
        passStrayDelay();
        token.setMood(MoodyToken.Mood.Lying);
        IEscrow.Terms memory terms = next();
        escrow.fund(terms, payer, 0, terms.fundBy, "");
        vm.assertEq(escrow.totalOwed(), 2 * uint256(PRICE), "total owed");
        vm.assertEq(token.balanceOf(address(escrow)), PRICE, "balance");
        vm.assertEq(escrow.surplus(), 0, "surplus");
        vm.prank(RESOLVER);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, 1, 0));
        escrow.returnStray(payer, keccak256("stray"), 1);
        escrow.withdrawFor(PAYEE);
        vm.assertEq(token.balanceOf(PAYEE), NET, "paid");
    }

    /// @dev Not answered on chain: it would cost every payment a look at the balance. What is missing is
    /// missed by whoever comes last, who keeps the credit; nothing can be taken out of it by those with
    /// powers.
    function test_aTokenThatKeepsAFeeLeavesTheLastWaitingAndNobodyWithLess() public {
        token.setKept(100);
        credited();
        uint256 short = PRICE / 100;
        vm.assertEq(token.balanceOf(address(escrow)), PRICE - short, "balance");
        vm.assertEq(escrow.surplus(), 0, "surplus");
        vm.prank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, 1, 0));
        escrow.announceRescue(STRANGER, 1);
        announceReturnStray(payer, keccak256("stray"), 1);
        passStrayDelay();
        vm.prank(RESOLVER);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, 1, 0));
        escrow.returnStray(payer, keccak256("stray"), 1);

        escrow.withdrawFor(PAYEE);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        escrow.withdrawFor(FEE_RECIPIENT);
        assertClaimable(FEE_RECIPIENT, FEE);
        token.mint(address(escrow), short);
        escrow.withdrawFor(FEE_RECIPIENT);
        vm.assertEq(token.balanceOf(FEE_RECIPIENT), FEE, "paid");
        vm.assertEq(escrow.totalOwed(), 0, "total owed");
    }

    /// @dev Gives the payee and the fee recipient credit.
    function credited() private {
        IEscrow.Terms memory terms = next();
        escrow.fund(terms, payer, 0, terms.fundBy, "");
        vm.prank(payer);
        escrow.releaseByPayer(terms);
    }

    function next() private returns (IEscrow.Terms memory terms) {
        terms = order();
        terms.order = keccak256(abi.encode(++orders));
    }
}
