package dev.idspring.tools.command;

import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.tools.command.CommandLine.Result;
import org.junit.jupiter.api.Tag;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Base class of tests for {@link AdoptCommand}. Each test adopts the table orders with
 * the generator orders, unless it sets other options.
 */
@Tag("mysql")
abstract class AbstractAdoptCommandTests extends AbstractTableCommandTests {

	AbstractAdoptCommandTests() {
		super("adopt");
	}

	/**
	 * Run the DDL of a report.
	 */
	final void execute(Result report) {
		execute(report.out().lines().filter((line) -> line.endsWith(";")).toArray(String[]::new));
	}

	final void insertAlternately(ConfigurableApplicationContext application, int rows) {
		for (int i = 0; i < rows; i++) {
			insert(application);
			jdbc().update("insert into orders (note) values ('old')");
		}
	}

	final void insert(ConfigurableApplicationContext application) {
		jdbc().update("insert into orders (id, note) values (?, 'new')",
				application.getBean(IdGenerators.class).get("orders").nextLong());
	}

	static String[] concat(String[] properties, String... more) {
		return Stream.concat(Stream.of(properties), Stream.of(more)).toArray(String[]::new);
	}

	@Override
	final Stream<String> generatorProperties() {
		return Stream.of("ids.generators.orders.strategy=sequential", "ids.generators.links.strategy=coprime");
	}

	@Override
	final Stream<String> options() {
		return Stream.of("ids.adopt.table=orders", "ids.adopt.generator=orders");
	}

}
