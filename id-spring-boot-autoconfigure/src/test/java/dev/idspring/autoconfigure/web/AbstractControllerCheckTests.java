package dev.idspring.autoconfigure.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests that startup fails if a controller is annotated wrongly. Subclasses run the tests
 * with Spring MVC and with Spring WebFlux.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AbstractControllerCheckTests {

	abstract ConfigurableApplicationContext createContext(Class<?> controller);

	final ConfigurableApplicationContext start(Class<?> controller) {
		return refresh(createContext(controller));
	}

	private static ConfigurableApplicationContext refresh(ConfigurableApplicationContext created) {
		TestPropertyValues
			.of("ids.store=memory", "ids.generators.orders.coprime.length=10",
					"ids.generators.parcels.strategy=sequential")
			.applyTo(created);
		created.refresh();
		return created;
	}

	@ParameterizedTest
	@ValueSource(classes = { WrongNumber.class, WrongElement.class, RawList.class, WrongMap.class,
			UnknownGenerator.class, UnknownGeneratorOfElements.class, WrongForeign.class, WrongNodes.class })
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void startupFailsForWronglyAnnotatedParameters(Class<?> controller) {
		assertThat(catchThrowable(() -> start(controller))).hasRootCauseInstanceOf(IllegalArgumentException.class)
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining("@IdAsString")
			.satisfies((ex) -> assertThat(ex.getMessage())
				.containsAnyOf("method 'get' parameter 0 of " + controller.getName(), "UnknownId"));
	}

	@ParameterizedTest
	@ValueSource(classes = { AnnotatedBody.class, AnnotatedPart.class, AnnotatedResult.class })
	void startupFailsForAnnotationsWithoutEffect(Class<?> controller) {
		assertThat(catchThrowable(() -> start(controller))).isInstanceOf(IdSetupException.class)
			.hasMessageContaining("@IdAsString has no effect")
			.hasMessageContaining("get");
	}

	@Test
	void checksParametersAtStartupWithLazyBeans() {
		ConfigurableApplicationContext lazy = createContext(WrongNumber.class);
		lazy.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
		assertThat(catchThrowable(() -> refresh(lazy))).isInstanceOf(IdSetupException.class)
			.hasMessageContaining("method 'get'");
	}

	/**
	 * Runs in a separate thread, so that the timeout also ends an endless loop.
	 */
	@ParameterizedTest
	@ValueSource(classes = { SelfNestedParameter.class, EverDeeperNestedParameter.class })
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void ignoresEndlesslyNestedCollections(Class<?> controller) {
		start(controller).close();
	}

	@RestController
	static class SelfNestedParameter {

		@GetMapping("/")
		String get(@RequestParam(required = false) @Nullable Node node) {
			return "" + node;
		}

	}

	@RestController
	static class EverDeeperNestedParameter {

		@GetMapping("/")
		String get(@RequestParam(required = false) @Nullable Growing<Long> growing) {
			return "" + growing;
		}

	}

	@RestController
	static class WrongNodes {

		@GetMapping("/")
		String get(@RequestParam @IdAsString("orders") Node node) {
			return "" + node;
		}

	}

	@RestController
	static class AnnotatedBody {

		@PostMapping("/")
		String get(@RequestBody @IdAsString("orders") long id) {
			return "" + id;
		}

	}

	@RestController
	static class AnnotatedPart {

		@PostMapping("/")
		String get(@RequestPart @IdAsString("orders") long id) {
			return "" + id;
		}

	}

	@RestController
	static class AnnotatedResult {

		@GetMapping("/")
		@IdAsString("orders")
		long get() {
			return 1;
		}

	}

	@RestController
	static class WrongNumber {

		@GetMapping("/{id}")
		String get(@PathVariable @IdAsString("orders") int id) {
			return "" + id;
		}

	}

	@RestController
	static class WrongElement {

		@GetMapping("/")
		String get(@RequestParam @IdAsString("orders") Optional<List<Integer>> id) {
			return "" + id;
		}

	}

	@RestController
	@SuppressWarnings("rawtypes")
	static class RawList {

		@GetMapping("/")
		String get(@RequestParam @IdAsString("orders") List id) {
			return "" + id;
		}

	}

	@RestController
	static class WrongMap {

		@GetMapping("/")
		String get(@RequestParam @IdAsString("orders") Map<String, String> id) {
			return "" + id;
		}

	}

	@RestController
	static class UnknownGenerator {

		@GetMapping("/{id}")
		String get(@PathVariable @IdAsString("nope") long id) {
			return "" + id;
		}

	}

	@RestController
	static class UnknownGeneratorOfElements {

		@GetMapping("/")
		String get(@RequestParam Optional<List<UnknownId>> ids) {
			return "" + ids;
		}

	}

	@RestController
	static class WrongForeign {

		@GetMapping("/{id}")
		String get(@PathVariable @IdAsString("orders") Pair id) {
			return "" + id;
		}

	}

	@IdAsString("nope")
	record UnknownId(long value) {

	}

	static class Node extends ArrayList<Node> {

		private static final long serialVersionUID = 1L;

	}

	static class Growing<T> extends ArrayList<Growing<List<T>>> {

		private static final long serialVersionUID = 1L;

	}

	record Pair(long left, long right) {

	}

}
