package dev.idspring.integration.jdbc;

import java.util.List;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("orders")
public record Order(@Id @GeneratedId Long id, @GeneratedId("codes") String code, String customer, List<Line> lines) {

	public Order(String customer, List<Line> lines) {
		this(null, null, customer, lines);
	}

	@Table("order_line")
	public record Line(@Id @GeneratedId Long id, String product, int quantity) {

		public Line(String product, int quantity) {
			this(null, product, quantity);
		}

	}

}
