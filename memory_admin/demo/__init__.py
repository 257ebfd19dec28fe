"""The demo tenant Larkfield: two months of two people and of those who look after their memories."""
