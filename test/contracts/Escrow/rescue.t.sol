// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrowControls} from "../../../contracts/interfaces/IEscrowControls.sol";
import {EscrowTest} from "../EscrowTest.sol";

contract OtherToken is ERC20("Other", "OTHER") {
    constructor(address holder) {
        _mint(holder, 1_000);
    }
}

/// @dev A payment token whose balances a second address moves too.
contract TwoAddressToken is ERC20("Two", "TWO") {
    SecondAddress public immutable second = new SecondAddress();

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function moveFrom(address from, address to, uint256 value) external {
        require(msg.sender == address(second), "not the second address");
        _transfer(from, to, value);
    }
}

contract SecondAddress {
    TwoAddressToken private immutable _token = TwoAddressToken(msg.sender);
    bool private _reversed;

    function reverse() external {
        _reversed = true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        (address from, address recipient) = _reversed ? (to, msg.sender) : (msg.sender, to);
        _token.moveFrom(from, recipient, value);
        return true;
    }
}

contract RescueTest is EscrowTest {
    uint256 private constant STRAY = 7_000_000;
    address private constant TO = address(0xB2);

    function setUp() public override {
        super.setUp();
        funded();
        usdc.mint(address(escrow), STRAY);
    }

    function test_takesUnowedMoneyThirtyDaysAfterSayingSo() public {
        uint48 availableAt = uint48(timeNow() + 30 days);
        vm.expectEmit(address(escrow));
        emit IEscrowControls.RescueAnnounced(TO, STRAY, availableAt);
        announce(TO, STRAY);
        (address to, uint256 amount, uint48 from) = escrow.announcedRescue();
        vm.assertEq(to, TO, "to");
        vm.assertEq(amount, STRAY, "amount");
        vm.assertEq(from, availableAt, "available at");

        vm.warp(availableAt - 1);
        expectOutsideWindow(availableAt);
        vm.warp(availableAt);
        vm.expectEmit(address(escrow));
        emit IEscrowControls.Rescued(address(usdc), TO, STRAY);
        vm.prank(ADMIN);
        escrow.rescue();
        vm.assertEq(usdc.balanceOf(TO), STRAY, "rescued tokens");
        assertOwes(PRICE);

        vm.expectRevert(IEscrowControls.NoRescueAnnounced.selector);
        vm.prank(ADMIN);
        escrow.rescue();
    }

    function test_anAnnouncementLapses() public {
        announce(TO, STRAY);
        uint48 availableAt = uint48(timeNow() + 30 days);
        vm.warp(availableAt + 7 days + 1);
        expectOutsideWindow(availableAt);
    }

    function test_neverTouchesWhatIsOwed(uint256 amount) public {
        vm.assume(amount > STRAY);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, amount, STRAY));
        announce(TO, amount);
    }

    function test_looksAgainAtWhatIsOwedWhenCarriedOut() public {
        announce(TO, STRAY);
        bytes32 nonce = keccak256("stray");
        cancel(PAYER_KEY, nonce);
        announceReturnStray(payer, nonce, 1);
        passStrayDelay();
        returnStray(payer, nonce, 1);
        vm.warp(timeNow() + 26 days);
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, STRAY, STRAY - 1));
        vm.prank(ADMIN);
        escrow.rescue();
    }

    function test_aShortfallIsNoSurplus() public {
        vm.mockCall(address(usdc), abi.encodeCall(usdc.balanceOf, (address(escrow))), abi.encode(PRICE - 1));
        vm.assertEq(escrow.surplus(), 0, "surplus");
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.SurplusExceeded.selector, 1, 0));
        announce(TO, 1);
    }

    function test_canBeTakenBack() public {
        announce(TO, STRAY);
        vm.expectEmit(address(escrow));
        emit IEscrowControls.RescueCancelled(TO, STRAY);
        vm.prank(ADMIN);
        escrow.cancelRescue();
        vm.expectRevert(IEscrowControls.NoRescueAnnounced.selector);
        vm.prank(ADMIN);
        escrow.cancelRescue();
        announce(TO, 1);
    }

    function test_oneAtATime() public {
        announce(TO, 1);
        vm.expectRevert(
            abi.encodeWithSelector(IEscrowControls.RescueAlreadyAnnounced.selector, timeNow() + 30 days)
        );
        announce(TO, 2);
    }

    function test_refusesAddressesThatWouldLoseIt() public {
        address[2] memory refused = [address(0), address(escrow)];
        for (uint256 i = 0; i < refused.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IEscrowControls.InvalidRecipient.selector, refused[i]));
            announce(refused[i], 1);
        }
    }

    function test_onlyTheAdminMay() public {
        bytes memory reason = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector,
            RESOLVER,
            bytes32(0)
        );
        vm.startPrank(RESOLVER);
        vm.expectRevert(reason);
        escrow.announceRescue(TO, 1);
        vm.expectRevert(reason);
        escrow.cancelRescue();
        vm.expectRevert(reason);
        escrow.rescue();
        vm.expectRevert(reason);
        escrow.rescueOther(IERC20(address(1)), TO, 1);
        vm.stopPrank();
    }

    function test_otherTokensComeOutAtOnce() public {
        OtherToken other = new OtherToken(address(escrow));
        vm.expectEmit(address(escrow));
        emit IEscrowControls.Rescued(address(other), TO, 1_000);
        vm.prank(ADMIN);
        escrow.rescueOther(other, TO, 1_000);
        vm.assertEq(other.balanceOf(TO), 1_000, "rescued tokens");

        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.AnnouncementRequired.selector, address(usdc)));
        vm.prank(ADMIN);
        escrow.rescueOther(usdc, TO, 1);
    }

    /// @dev Otherwise a second address of the payment token would get round the announcement, and round what
    /// is owed.
    function test_otherTokensLeaveThePaymentTokensBalanceAsItWas() public {
        TwoAddressToken token = new TwoAddressToken();
        escrow = deployEscrow(address(token), ADMIN, RESOLVER, PAUSER);
        token.mint(address(escrow), 10);
        token.mint(TO, 10);
        expectPaymentTokenMoved(token, 9);
        token.second().reverse();
        expectPaymentTokenMoved(token, 11);
        vm.assertEq(token.balanceOf(address(escrow)), 10, "the escrow's tokens");
    }

    function expectPaymentTokenMoved(TwoAddressToken token, uint256 balanceAfter) private {
        address second = address(token.second());
        vm.expectRevert(abi.encodeWithSelector(IEscrowControls.PaymentTokenMoved.selector, 10, balanceAfter));
        vm.prank(ADMIN);
        escrow.rescueOther(IERC20(second), TO, 1);
    }

    function announce(address to, uint256 amount) private {
        vm.prank(ADMIN);
        escrow.announceRescue(to, amount);
    }

    function expectOutsideWindow(uint48 availableAt) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                IEscrowControls.OutsideRescueWindow.selector,
                availableAt,
                availableAt + 7 days
            )
        );
        vm.prank(ADMIN);
        escrow.rescue();
    }
}
