// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEscrow} from "../../../contracts/interfaces/IEscrow.sol";
import {EscrowTest} from "../EscrowTest.sol";

/// @dev Refund, net and fee of 5% are the whole price, to the last unit, in both modes: by a release of the
/// contract, and by the two payouts of a deposit that leave the wallet its fee.
contract RoundingTest is EscrowTest {
    uint256 private constant WALLET_KEY = 0xCAFE;
    uint128 private constant MOST = 10_000_000_000;

    function test_anyPriceIsSplitToTheLastUnit(uint128 price, uint128 refund) public {
        price = 1 + (price % MOST);
        refund = refund % (price + 1);
        splitsByContract(price, refund, 1);
        splitsInCustody(price, refund, 1);
    }

    function test_pricesWhereTheFeeBeginsAreSplitToTheLastUnit() public {
        uint128[10] memory prices = [uint128(1), 2, 19, 20, 21, 39, 40, 1_999_999, 2_000_000, MOST];
        uint256 trade;
        for (uint256 i = 0; i < prices.length; ++i) {
            uint128[4] memory refunds = [0, 1, prices[i] - 1, prices[i]];
            for (uint256 j = 0; j < refunds.length; ++j) {
                splitsByContract(prices[i], refunds[j], ++trade);
                splitsInCustody(prices[i], refunds[j], trade);
            }
        }
    }

    function splitsByContract(uint128 price, uint128 refund, uint256 trade) private {
        usdc.mint(payer, price);
        IEscrow.Terms memory terms = order();
        terms.order = keccak256(abi.encode(trade));
        terms.amount = price;
        fund(terms);
        uint256[3] memory before = [claimable(payer), claimable(PAYEE), claimable(FEE_RECIPIENT)];
        (uint256 net, uint256 fee) = parts(price, refund);
        address[] memory recipients = new address[](3);
        uint256[] memory amounts = new uint256[](3);
        uint256 count;
        if (refund != 0) (recipients[count], amounts[count++]) = (payer, refund);
        if (net != 0) (recipients[count], amounts[count++]) = (PAYEE, net);
        if (fee != 0) (recipients[count], amounts[count++]) = (FEE_RECIPIENT, fee);
        assembly {
            mstore(recipients, count)
            mstore(amounts, count)
        }
        release(terms, recipients, amounts);
        vm.assertEq(claimable(payer) - before[0], refund, "refund");
        vm.assertEq(claimable(PAYEE) - before[1], net, "net");
        vm.assertEq(claimable(FEE_RECIPIENT) - before[2], fee, "fee");
        assertOwes(claimable(payer) + claimable(PAYEE) + claimable(FEE_RECIPIENT));
    }

    function splitsInCustody(uint128 price, uint128 refund, uint256 trade) private {
        address wallet = vm.addr(WALLET_KEY);
        usdc.mint(wallet, price);
        uint256[3] memory before = [usdc.balanceOf(payer), usdc.balanceOf(PAYEE), usdc.balanceOf(wallet)];
        (uint256 net, uint256 fee) = parts(price, refund);
        payOut(payer, refund, keccak256(abi.encode(trade, "payer")));
        payOut(PAYEE, net, keccak256(abi.encode(trade, "payee")));
        vm.assertEq(usdc.balanceOf(payer) - before[0], refund, "refund paid");
        vm.assertEq(usdc.balanceOf(PAYEE) - before[1], net, "net paid");
        vm.assertEq(before[2] - usdc.balanceOf(wallet), price - fee, "the fee stays");
    }

    function payOut(address to, uint256 amount, bytes32 nonce) private {
        if (amount == 0) return;
        uint256 validBefore = timeNow() + 1 minutes;
        bytes memory signature = signTransfer(WALLET_KEY, to, amount, validBefore, nonce);
        usdc.transferWithAuthorization(vm.addr(WALLET_KEY), to, amount, 0, validBefore, nonce, signature);
    }

    function claimable(address account) private view returns (uint256 amount) {
        return escrow.claimable(account);
    }

    /// @dev By the market's rule: the fee is what is paid, times 5%, rounded down; the seller gets the rest.
    function parts(uint256 price, uint256 refund) private pure returns (uint256 net, uint256 fee) {
        fee = ((price - refund) * 500) / 10_000;
        net = price - refund - fee;
    }
}
