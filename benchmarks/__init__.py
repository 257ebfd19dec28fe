"""What a governed search costs, beside a bare SQL vector query over the same vectors: ``make bench``."""
