package dev.idspring.autoconfigure.persistence;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link IdsDataR2dbcAutoConfiguration}.
 */
class IdsDataR2dbcAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(IdsAutoConfiguration.class,
			IdsDataR2dbcAutoConfiguration.class);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS)
		.withPropertyValues("ids.store=memory");

	@Test
	void callbackIsRegistered() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(ReactiveGeneratedIdCallback.class));
	}

	@Test
	void callbackIsRegisteredInReactiveApplications() {
		new ReactiveWebApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues("ids.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ReactiveGeneratedIdCallback.class));
	}

	@Test
	void callbackIsAbsentWithoutSpringDataR2dbc() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data.r2dbc"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveGeneratedIdCallback.class));
	}

	@Test
	void callbackIsAbsentWithoutGenerators() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveGeneratedIdCallback.class));
	}

	@Test
	void startupFailsForAnUnknownGenerator() {
		this.contextRunner.withBean(R2dbcMappingContext.class, () -> contextWith(WithUnknownGenerator.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("\"absent\"")
				.hasMessageContaining(WithUnknownGenerator.class.getName()));
	}

	@Test
	void checkCreatesNoLazyBeans() {
		List<String> created = new ArrayList<>();
		this.contextRunner.withBean(R2dbcMappingContext.class, () -> {
			created.add("context");
			return contextWith(WithUnknownGenerator.class);
		}, (definition) -> definition.setLazyInit(true)).run((context) -> assertThat(context).hasNotFailed());
		assertThat(created).isEmpty();
	}

	@Test
	void entityGetsAnId() {
		this.contextRunner.withBean(R2dbcMappingContext.class, () -> contextWith(Post.class))
			.run((context) -> assertThat(convert(context.getBean(ReactiveGeneratedIdCallback.class)).id()).isNotNull());
	}

	@Test
	void callbackIsClosedWithTheContext() {
		this.contextRunner.withBean(R2dbcMappingContext.class, () -> contextWith(Post.class)).run((context) -> {
			ReactiveGeneratedIdCallback callback = context.getBean(ReactiveGeneratedIdCallback.class);
			context.getSourceApplicationContext().close();
			assertThatIllegalStateException().isThrownBy(() -> convert(callback)).withMessageContaining("is closed");
		});
	}

	private static Post convert(ReactiveGeneratedIdCallback callback) {
		return (Post) Mono.from(callback.onBeforeConvert(new Post(null), SqlIdentifier.unquoted("post")))
			.subscribeOn(Schedulers.parallel())
			.block();
	}

	private static R2dbcMappingContext contextWith(Class<?> entity) {
		R2dbcMappingContext context = new R2dbcMappingContext();
		context.getRequiredPersistentEntity(entity);
		return context;
	}

	record Post(@Id @GeneratedId @Nullable Long id) {

	}

	record WithUnknownGenerator(@Id @GeneratedId("absent") @Nullable Long id) {

	}

}
