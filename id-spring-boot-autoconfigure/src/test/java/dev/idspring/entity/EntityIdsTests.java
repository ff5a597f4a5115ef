package dev.idspring.entity;

import java.util.function.Consumer;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Which generator the ids of an entity come from.
 */
class EntityIdsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.generators.orders.strategy=sequential",
				"ids.generators.order-lines.strategy=sequential");

	@ParameterizedTest
	@CsvSource({ "orders, orders", "ORDERS, orders", "order-lines, order-lines", "order_lines, order-lines",
			"ORDER_LINES, order-lines", "OrderLines, order-lines", "order, default", "orderlinesx, default",
			"order lines, default", "'', default", ", default" })
	void generatorOfATable(String table, String expected) {
		run((ids) -> assertThat(ids.generator("", table).name()).isEqualTo(expected));
	}

	@Test
	void nameComesBeforeTheTable() {
		run((ids) -> {
			assertThat(ids.generator("orders", "order_lines").name()).isEqualTo("orders");
			assertThat(ids.generator("default", "orders").name()).isEqualTo("default");
		});
	}

	@Test
	void nameIsTakenAsItIs() {
		run((ids) -> assertThatIllegalArgumentException().isThrownBy(() -> ids.generator("order_lines", "orders"))
			.withMessageContaining("order_lines")
			.withMessageContaining("[default, orders, order-lines]"));
	}

	private void run(Consumer<EntityIds> test) {
		this.runner.run((context) -> test.accept(context.getBean(EntityIds.class)));
	}

}
