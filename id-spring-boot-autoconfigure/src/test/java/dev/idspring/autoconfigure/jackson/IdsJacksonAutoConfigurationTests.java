package dev.idspring.autoconfigure.jackson;

import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.system.CapturedOutput;
import org.junit.jupiter.api.extension.ExtendWith;
import dev.idspring.IdGenerators;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsJacksonAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdsJacksonAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsJacksonAutoConfiguration.class,
				JacksonAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void mapperOfTheApplicationWritesIdsAsStrings() {
		this.contextRunner.run((context) -> {
			JsonMapper mapper = context.getBean(JsonMapper.class);
			assertThat(mapper.writeValueAsString(new View(1))).isEqualTo("{\"id\":\"000001\"}");
			assertThat(mapper.readValue("{\"id\":\"000001\"}", View.class)).isEqualTo(new View(1));
		});
	}

	@Test
	void warnsWhenNoMapperHasTheModule(CapturedOutput output) {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("no effect");
		this.contextRunner.withBean("mapperWithoutModule", JsonMapper.class, () -> JsonMapper.builder().build())
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JsonMapper.class));
		assertThat(output).containsOnlyOnce(
				"@IdAsString has no effect in JSON, because no JsonMapper bean has the" + " IdJacksonModule");
	}

	@Test
	void backsOffWithoutJackson() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("tools.jackson")).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.containsBean("idsJacksonModule")).isFalse();
		});
	}

	@Test
	void createsNoBeansWithoutGenerators() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdJacksonModule.class));
	}

	@Test
	void usesAUserDefinedModule() {
		IdJacksonModule mine = new IdJacksonModule(new IdFormats(() -> {
			throw new UnsupportedOperationException();
		}));
		this.contextRunner.withBean(IdJacksonModule.class, () -> mine)
			.run((context) -> assertThat(context.getBean(IdJacksonModule.class)).isSameAs(mine));
	}

	/**
	 * A bean that needs a mapper early must not cause the generators to be created,
	 * because generators may depend on the mapper.
	 */
	@Test
	void mapperIsCreatedBeforeTheGenerators() {
		this.contextRunner.withPropertyValues("spring.main.lazy-initialization=true")
			.withInitializer((context) -> context.addBeanFactoryPostProcessor((factory) -> {
				for (String name : factory.getBeanDefinitionNames()) {
					factory.getBeanDefinition(name).setLazyInit(true);
				}
			}))
			.run((context) -> {
				JsonMapper mapper = context.getBean(JsonMapper.class);
				mapper.writeValueAsString(new Plain(1));
				assertThat(context.getBeanFactory().containsSingleton("idGenerators")).isFalse();
				mapper.writeValueAsString(new View(1));
				assertThat(context.getBeanFactory().containsSingleton("idGenerators")).isTrue();
			});
	}

	@Test
	void moduleIsRegisteredOnceWithTheMapper() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBeansOfType(JacksonModule.class)).containsKey("idsJacksonModule");
			assertThat(context.getBean(JsonMapper.class).registeredModules())
				.filteredOn(IdJacksonModule.class::isInstance)
				.hasSize(1);
			assertThat(context.getBean(IdGenerators.class).names()).containsExactly("default");
		});
	}

	record View(@IdAsString long id) {

	}

	record Plain(long id) {

	}

}
