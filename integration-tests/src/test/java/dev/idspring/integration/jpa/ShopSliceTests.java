package dev.idspring.integration.jpa;

import dev.idspring.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the database access of the shop in a test slice, which contains no other part of
 * the application.
 */
@DataJpaTest(properties = { "ids.strategy=sequential", "ids.generators.product-codes.strategy=coprime",
		"ids.generators.public.strategy=coprime", "ids.generators.order-line.strategy=coprime",
		"ids.generators.stored.strategy=sequential", "ids.generators.invoices.strategy=sequential" })
@Tag("wide")
@AutoConfigureTestIds
class ShopSliceTests {

	@Autowired
	private Products products;

	@Test
	void savedProductsHaveTheSameIdsInEveryRun() {
		Product saved = this.products.saveAndFlush(new Product("Kettle"));
		assertThat(saved.getId()).isEqualTo(1);
		assertThat(saved.getCode()).isEqualTo("000000");
	}

}
